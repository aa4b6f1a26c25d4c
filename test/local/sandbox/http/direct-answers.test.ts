import { describe, expect, it } from 'vitest'
import { type OperationName, operations } from '../../../../lib/platform/contract/operations/operations.ts'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import { BASE, openSandbox } from '../open-sandbox.ts'

const json = { 'content-type': 'application/json' }
const body = (value: object) => ({ headers: json, body: JSON.stringify(value) })
const MISSING = '00000000-0000-4000-8000-000000000000'

/** A sandbox with a running archive, the same in each world. */
async function open() {
  const world = openSandbox()
  const sessionId = await world.createSession()
  await world.join(sessionId)
  const { body: archive } = await world.call('startArchive', { sessionId })
  return { ...world, sessionId, archiveId: String(archive.id) }
}

type World = Awaited<ReturnType<typeof open>>
type Call = (world: World) => readonly [string, string, { headers?: Record<string, string>; body?: string }?]

const project = ({ apiKey }: World) => `/v2/project/${apiKey}`

describe('createDirectAnswers', () => {
  it.each<[string, Call]>([
    ['a list', (world) => ['GET', `${project(world)}/archive?count=2`]],
    ['an archive', (world) => ['GET', `${project(world)}/archive/${world.archiveId}`]],
    ['a stop', (world) => ['POST', `${project(world)}/archive/${world.archiveId}/stop`]],
    ['a second start', (world) => ['POST', `${project(world)}/archive`, body({ sessionId: world.sessionId })]],
    ['an answer without a body', (world) => ['DELETE', `${project(world)}/archive/${world.archiveId}`]],
    ['a missing archive', (world) => ['GET', `${project(world)}/archive/${MISSING}`]],
    ['an invalid query', (world) => ['GET', `${project(world)}/archive?count=many`]],
    ['an invalid body', (world) => ['POST', `${project(world)}/archive`, body({ sessionId: 1 })]],
    ['a body that is not JSON', (world) => ['POST', `${project(world)}/archive`, { headers: json, body: '{' }]],
    ['another project', () => ['GET', '/v2/project/1/archive']],
    ['a wrong token', (world) => ['GET', `${project(world)}/archive`, { headers: { [AUTH_HEADER]: 'a.b.c' } }]],
    ['an alias', ({ apiKey }) => ['GET', `/v2/partner/${apiKey}/archive/`]],
  ])('answers %s as the router does', async (_, call) => {
    const [one, other] = [await open(), await open()]
    const [method, path, init = {}] = call(one)
    const expected = await one.send(method, path, init)
    const headers = { [AUTH_HEADER]: await other.sign(), accept: 'application/json', ...init.headers }
    const lowerCased = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const request = { method, url: BASE + path, headers: lowerCased, body: init.body }
    const answer = await other.sandbox.answerDirectly(request)
    const { status, text = '' } = answer ?? {}
    expect({ status, body: text === '' ? '' : JSON.parse(text) }).toEqual(expected)
    expect(other.log.at(-1)).toEqual(one.log.at(-1))
  })

  it.each<[string, (world: World) => void, OperationName]>([
    ['an operation of the account', () => {}, 'listProjects'],
    [
      'a call under a fault',
      ({ sandbox }) => void sandbox.faults.order({ operation: 'listArchives', fault: { type: 'dropAfter' } }),
      'listArchives',
    ],
  ])('leaves %s to the router', async (_, prepare, name) => {
    const world = await open()
    prepare(world)
    const { method, path } = operations[name]
    const url = BASE + path.replace('{apiKey}', world.apiKey)
    expect(world.sandbox.answerDirectly({ method, url, headers: {}, body: undefined })).toBeUndefined()
  })
})
