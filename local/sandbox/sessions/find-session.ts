import { connectionNotFound } from '../../../lib/platform/contract/connections.ts'
import { sessionIds } from '../../../lib/platform/contract/sessions.ts'
import { Refusal } from '../http/refusal.ts'
import { isUuid } from '../state/ids.ts'
import type { ConnectionRecord, SessionRecord, StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'

/** Finds a session of a project. @throws Refusal 400 for a malformed id, and `unknown` for one that is not there */
export function findSession(store: Store, apiKey: string, sessionId: string, unknown: 400 | 404 = 404): SessionRecord {
  if (sessionIds.apiKeyOf(sessionId) === undefined) throw new Refusal(400, 'The session id is invalid.')
  const session = store.sessions.get(sessionId)
  if (session?.projectId !== apiKey) throw new Refusal(unknown, 'Session not found')
  return session
}

/** @throws Refusal 404 */
export function findConnection(store: Store, { id }: SessionRecord, connectionId: string): ConnectionRecord {
  const connection = store.connections.get(connectionId)
  if (connection?.sessionId !== id) throw new Refusal(404, connectionNotFound)
  return connection
}

/** @throws Refusal `malformed` for what no stream id looks like, and `unknown` for one that the session does not have */
export function findStream(
  store: Store,
  { id }: SessionRecord,
  streamId: string,
  { malformed, unknown }: { malformed: 400 | 408; unknown: 400 | 404 },
): StreamRecord {
  if (!isUuid(streamId)) throw new Refusal(malformed, 'The stream id is malformed.')
  const stream = store.streams.get(streamId)
  if (stream?.sessionId !== id) throw new Refusal(unknown, 'Stream not found')
  return stream
}
