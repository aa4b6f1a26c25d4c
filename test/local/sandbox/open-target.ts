import { expect } from 'vitest'
import { errorBody } from '../../../lib/platform/contract/errors.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import { AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import { INSIGHTS_PATH } from '../../../local/sandbox/http/router.ts'
import type { Answer } from './open-sandbox.ts'
import { openSession } from './open-session.ts'

/** Opens a session with one of each resource, and returns an operation's path and example with their ids. */
export async function openTarget(name: OperationName) {
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
  async function send(body: string | undefined, query = ''): Promise<Answer> {
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
    return answer
  }
  return { ...world, example, send }
}
