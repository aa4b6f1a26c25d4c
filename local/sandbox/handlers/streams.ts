import { sessionIds } from '../../../lib/platform/contract/sessions.ts'
import type { Stream, streamOperations } from '../../../lib/platform/contract/streams.ts'
import { isUuid } from '../ids.ts'
import type { SessionRecord, StreamRecord } from '../records.ts'
import { Refusal } from '../refusal.ts'
import type { Store } from '../store.ts'
import type { Handlers, Platform } from './handler.ts'

export const streamHandlers = ({ store }: Platform): Handlers<keyof typeof streamOperations> => ({
  getStream({ apiKey, sessionId, streamId }) {
    const session = findSession(store, apiKey, sessionId)
    if (!isUuid(streamId)) throw new Refusal(408, 'The stream id is malformed.')
    const stream = store.streams.get(streamId)
    if (stream?.sessionId !== session.id) throw new Refusal(404, 'Stream not found')
    return showStream(stream)
  },
  listStreams({ apiKey, sessionId }) {
    const streams = store.streams.find({ sessionId: findSession(store, apiKey, sessionId).id })
    if (streams.length === 0) throw new Refusal(404, 'The session has no streams')
    return { count: streams.length, items: streams.map(showStream) }
  },
})

function findSession(store: Store, apiKey: string, sessionId: string): SessionRecord {
  if (sessionIds.apiKeyOf(sessionId) === undefined) throw new Refusal(400, 'The session id is invalid.')
  const session = store.sessions.get(sessionId)
  if (session?.projectId !== apiKey) throw new Refusal(404, 'Session not found')
  return session
}

const showStream = ({ id, videoType, name, layoutClasses }: StreamRecord): Stream => ({
  id,
  videoType,
  name,
  layoutClassList: [...layoutClasses],
})
