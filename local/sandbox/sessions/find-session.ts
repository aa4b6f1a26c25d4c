import { connectionNotFound } from '../../../lib/platform/contract/connections.ts'
import { sessionIds } from '../../../lib/platform/contract/sessions.ts'
import { Refusal } from '../http/refusal.ts'
import { isUuid } from '../state/ids.ts'
import type { ConnectionRecord, SessionRecord, StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'

/** Returns a session of any project. @throws {@link Refusal} 404 */
export function findAnySession(store: Store, id: string): SessionRecord {
  const session = store.sessions.get(id)
  if (!session) throw new Refusal(404, 'Session not found')
  return session
}

/**
 * Returns a session of a project.
 * @throws {@link Refusal} 400 for a malformed id, and `unknown` for an id of no session
 */
export function findSession(store: Store, apiKey: string, sessionId: string, unknown: 400 | 404 = 404): SessionRecord {
  if (sessionIds.apiKeyOf(sessionId) === undefined) throw new Refusal(400, 'The session id is invalid.')
  const session = store.sessions.get(sessionId)
  if (session?.projectId !== apiKey) throw new Refusal(unknown, 'Session not found')
  return session
}

/** Returns a connection of a session. @throws {@link Refusal} 404 */
export function findConnection(store: Store, { id }: SessionRecord, connectionId: string): ConnectionRecord {
  const connection = store.connections.get(connectionId)
  if (connection?.sessionId !== id) throw new Refusal(404, connectionNotFound)
  return connection
}

/**
 * Returns a stream of a session.
 * @throws {@link Refusal} `malformed` for a malformed id, and `unknown` for a stream that the session does not have
 */
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
