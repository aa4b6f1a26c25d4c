import { createHash, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { platformEvents, type Receiver } from '../../../lib/events/platform-events.ts'
import { type CallbackKind, callbacks } from '../../../lib/platform/contract/callbacks.ts'
import { isCall, losingAnswers } from '../../support/world/interceptors.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run, runAnyhow } from '../run.ts'
import { authorizationOf, handleReceived, type Posting, postCallback } from './platform-callbacks.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

/** Puts the secrets of callbacks where the function reads them. */
const register = async (secrets: Partial<Record<string, string>>) => {
  const body = JSON.stringify({
    SecretId: 'platform-callbacks',
    SecretString: JSON.stringify(secrets),
    ClientRequestToken: randomUUID(),
  })
  const headers = { 'x-amz-target': 'secretsmanager.PutSecretValue', 'content-type': 'application/x-amz-json-1.1' }
  expect((await world.secrets.fetch(new Request('http://aws', { method: 'POST', headers, body }))).status).toBe(200)
}
const post = (body: unknown, posting?: Posting) => postCallback(world, body, posting)
const sent = () => world.platformEvents.map(({ detail }) => detail as Record<string, unknown>)
const kinds = Object.keys(callbacks) as CallbackKind[]
const { example } = callbacks.archive

describe('receiveCallback', () => {
  it.each(kinds)('publishes a callback of the kind %s by its schema', async (kind) => {
    const body = callbacks[kind].example
    expect(await post(body)).toEqual({ statusCode: 204, headers: {}, body: '' })
    const id = createHash('sha256').update(JSON.stringify(body)).digest('hex')
    expect(world.platformEvents).toMatchObject([{ source: 'showrunner.platform', 'detail-type': kind }])
    expect(sent()).toMatchObject([{ version: 1, kind, id, receivedAt: world.now(), callback: { event: body.event } }])
    expect(platformEvents[kind].parse(sent()[0])).toEqual(sent()[0])
  })

  it('publishes neither links to files nor stream keys', async () => {
    await post({ ...example, url: 'https://files.example.com/a?signature=hush' })
    const rtmp = [{ id: 'one', serverUrl: 'rtmp://live.example.com/app', streamName: 'hush' }]
    await post({ ...callbacks.broadcast.example, broadcastUrls: { rtmp } })
    expect(sent()).toHaveLength(2)
    expect(JSON.stringify(sent())).not.toContain('hush')
  })

  it('answers before a callback is handled, with one call of AWS at the most', async () => {
    await post(example) // the secret is known from then on
    const asked: string[] = []
    world.interceptors.aws = async (request, pass) => {
      asked.push(request.headers.get('x-amz-target') ?? request.method)
      return new URL(request.url).pathname.includes('callbacks') ? new Response(null, { status: 503 }) : pass()
    }
    const text = JSON.stringify({ ...example, size: 1 })
    const headers = { authorization: await authorizationOf(world, text) }
    const request = { headers, pathParameters: { kind: 'all' }, body: text, isBase64Encoded: false }
    expect(await run(world, 'receiveCallback', request)).toMatchObject({ statusCode: 204 })
    expect(asked).toEqual(['AWSEvents.PutEvents'])
    await expect(handleReceived(world)).rejects.toMatchObject({ name: 'StorageError' }) // and EventBridge calls once more
  })

  it('accepts a body in base64, byte for byte', async () => {
    expect((await post(example, { isBase64Encoded: true })).statusCode).toBe(204)
    expect(sent()).toHaveLength(1)
  })

  it.each<[string, Posting]>([
    ['signed with another secret', { secret: 'another' }],
    ['signed for another body', { signed: 'another' }],
    ['signed too long ago', { age: 306 }],
    ['signed in the future', { age: -60 }],
    ['without a token', { authorization: '' }],
    ['with a token that is none', { authorization: 'Bearer none' }],
  ])('refuses one %s', async (_what, posting) => {
    const answer = await post(example, posting)
    expect(answer).toMatchObject({ statusCode: 401, headers: { 'content-type': 'application/problem+json' } })
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 401,
      detail: expect.stringMatching(/^The (signature of the )?callback /),
    })
    expect(sent()).toEqual([])
  })

  it('accepts a callback of the maximum age', async () => {
    expect((await post(example, { age: 300 })).statusCode).toBe(204)
  })

  it('accepts a replayed callback without publishing it, however it is signed', async () => {
    const authorization = await authorizationOf(world, JSON.stringify(example))
    await post(example, { authorization })
    expect((await post(example, { authorization })).statusCode).toBe(204)
    await world.clock.advance(60_000)
    expect((await post(example)).statusCode).toBe(204) // repeated by the platform with a new signature
    expect(sent()).toHaveLength(1)
    expect((await post(example, { authorization, age: 0 })).statusCode).toBe(204)
    await world.clock.advance(300_000)
    expect((await post(example, { authorization })).statusCode).toBe(401)
  })

  it('publishes an event again under the same id after an interruption', async () => {
    world.interceptors.aws = async (request, pass) => {
      if (isCall('PUT', /callbacks/)(request)) return new Response(null, { status: 503 })
      return pass()
    }
    await expect(post(example)).rejects.toMatchObject({ name: 'StorageError' })
    world.interceptors.aws = (_request, pass) => pass()
    expect((await post(example)).statusCode).toBe(204)
    const [first, second, ...more] = sent()
    expect([first?.id, more]).toEqual([second?.id, []])
  })

  it('publishes an event again that the bus may not have accepted', async () => {
    world.interceptors.aws = losingAnswers((request) => /AWSEvents/.test(request.headers.get('x-amz-target') ?? ''))
    await expect(post(example)).rejects.toMatchObject({ name: 'ServiceError' })
    expect((await post(example)).statusCode).toBe(204)
  })

  it.each<[Receiver, string, CallbackKind[]]>([
    ['archive', 'of archives', ['archive']],
    ['broadcast', 'of broadcasts', ['broadcast']],
    ['composer', 'of composers', ['composer']],
    ['sip', 'of calls', ['call']],
    ['session', 'of a session', ['connection', 'stream']],
  ])('accepts at %s, by its own secret, only callbacks %s', async (receiver, _what, taken) => {
    await register({ [receiver]: 'its own' })
    for (const kind of kinds) {
      const { statusCode } = await post(callbacks[kind].example, { kind: receiver, secret: 'its own' })
      expect([kind, statusCode]).toEqual([kind, taken.includes(kind) ? 204 : 422])
    }
    expect(sent()).toHaveLength(taken.length)
  })

  it.each(['all', 'sip', 'none', 'constructor'])('answers 404 at %s when nothing is registered there', async (kind) => {
    await register({ archive: 'its own' })
    expect((await post(example, { kind, secret: 'its own' })).statusCode).toBe(404)
  })

  it('accepts a secret that was replaced meanwhile, and reads it at most once a minute', async () => {
    await post(example)
    await register({ all: 'the new one' })
    let reads = 0
    world.interceptors.aws = async (request, pass) => {
      if (/secretsmanager/.test(request.headers.get('x-amz-target') ?? '')) reads++
      return pass()
    }
    expect((await post({ ...example, size: 1 }, { secret: 'the new one' })).statusCode).toBe(204)
    for (let times = 0; times < 3; times++) expect((await post(example, { secret: 'a guess' })).statusCode).toBe(401)
    expect(reads).toBe(1)
    await world.clock.advance(60_000)
    expect((await post(example, { secret: 'a guess' })).statusCode).toBe(401)
    expect(reads).toBe(2)
  })

  it.each(['no JSON', '7', '{}', '{"event":"constructor"}', '{"event":"archive"}', { ...example, status: null }])(
    'passes over %j, which names no event',
    async (body) => {
      expect((await post(body)).statusCode).toBe(422)
      expect(sent()).toEqual([])
    },
  )

  it('refuses an event that is not a request', async () => {
    await expect(runAnyhow(world, 'receiveCallback', {})).rejects.toMatchObject({ name: 'TaskInputError' })
  })
})
