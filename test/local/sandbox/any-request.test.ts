import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorBody } from '../../../lib/platform/contract/errors.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations.ts'
import { AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import { INSIGHTS_PATH } from '../../../local/sandbox/router.ts'
import { openSession } from './open-session.ts'

const table = Object.entries(operations) as [OperationName, Operation][]
const runs = { seed: 20_261_120, numRuns: 60 }

/** A session in which there is one of everything, and an operation's path and example with the ids of that. */
async function openTarget(name: OperationName) {
  const world = await openSession()
  const { sandbox, sessionId, call, join, startComposer, clientToken, sign } = world
  const { connectionId, streamId } = await join(sessionId)
  const start = { sessionId, streamMode: 'manual', outputs: { hls: {} } }
  const ids: Readonly<Record<string, unknown>> = {
    ...{ apiKey: world.apiKey, sessionId, connectionId, streamId, token: await clientToken() },
    archiveId: (await call('startArchive', { ...start, multiArchiveTag: 'first' })).body.id,
    broadcastId: (await call('startBroadcast', { ...start, multiBroadcastTag: 'first' })).body.id,
    composerId: (await startComposer()).id,
    ...{ addStream: streamId, removeStream: streamId },
  }
  const operation: Operation = operations[name]
  const path = operation.path.replace(/\{(\w+)\}/g, (_, placeholder) => String(ids[placeholder]))
  const example = Object.fromEntries(
    Object.entries(operation.example.request).map(([field, value]) => [field, ids[field] ?? value]),
  )
  const { accountKey, accountSecret } = sandbox.account
  const claims = operation.credentials === 'account' ? { iss: accountKey, ist: 'account' } : {}
  const token = await sign(claims, operation.credentials === 'account' ? accountSecret : undefined)
  /** Sends it with that body and query, and holds the answer to what the contract foresees. */
  async function send(body: string | undefined, query = '') {
    const isForm = operation.encoding === 'form'
    const headers = {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      [AUTH_HEADER]: token,
    }
    const url = `${operation.base === 'insights' ? INSIGHTS_PATH : ''}${path}${query}`
    const isRead = operation.method === 'GET'
    const answer = await world.send(operation.method, url, { headers, ...(body && !isRead && { body }) })
    const foreseen = [operation.success.status, ...Object.keys(operation.errors).map(Number)]
    expect(foreseen, `${answer.status}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
    expect(answer.status).not.toBe(500)
    if (answer.status >= 400) errorBody.parse(answer.body)
  }
  return { ...world, example, send }
}

/** The example with one of its fields, at any depth, replaced or taken out. */
const mutated = (example: unknown): fc.Arbitrary<unknown> => {
  if (typeof example !== 'object' || example === null) return fc.jsonValue()
  const fields = Object.keys(example)
  if (fields.length === 0) return fc.jsonValue()
  return fc
    .constantFrom(...fields)
    .chain((field) =>
      fc
        .oneof(mutated((example as Record<string, unknown>)[field]), fc.jsonValue(), fc.constant(undefined))
        .map((value) =>
          Array.isArray(example)
            ? example.map((item, at) => (String(at) === field ? value : item))
            : { ...example, [field]: value },
        ),
    )
}

describe('createRouter', () => {
  it.each(table)('lets %s answer any body as foreseen', async (name, { encoding }) => {
    const { example, send } = await openTarget(name)
    const form = (fields: unknown) => String(new URLSearchParams(fields as Record<string, string>))
    const body =
      encoding === 'form'
        ? fc.oneof(fc.string(), fc.dictionary(fc.constantFrom(...Object.keys(example)), fc.string()).map(form))
        : fc.oneof(
            fc.string(),
            fc.json(),
            mutated(example).map((value) => JSON.stringify(value) ?? ''),
          )
    await fc.assert(
      fc.asyncProperty(body, (body) => send(body)),
      runs,
    )
  })

  it.each(table.filter(([, { query }]) => query))('lets %s answer any query as foreseen', async (name) => {
    const { send } = await openTarget(name)
    const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String))
    const query = fc.dictionary(fc.constantFrom('offset', 'count', 'sessionId', 'other'), value)
    await fc.assert(
      fc.asyncProperty(query, (query) => send(undefined, `?${new URLSearchParams(query)}`)),
      runs,
    )
  })

  it('answers any path and token', async () => {
    const { send, apiKey } = await openSession()
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE')
    const part = fc.oneof(fc.webSegment(), fc.constantFrom('v2', 'project', apiKey, 'archive', 'session', 'stream'))
    const path = fc.array(part, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`)
    const headers = fc.constantFrom({}, { [AUTH_HEADER]: 'a.b.c' }, { [AUTH_HEADER]: '' })
    await fc.assert(
      fc.asyncProperty(method, path, headers, async (method, path, headers) => {
        const { status, body } = await send(method, path, { headers })
        expect(status).not.toBe(500)
        if (status >= 400) errorBody.parse(body)
      }),
      { ...runs, numRuns: 200 },
    )
  })
})
