import type { Stream, streamOperations } from '../../../lib/platform/contract/streams.ts'
import type { Handlers } from '../handler.ts'
import { Refusal } from '../http/refusal.ts'
import type { Presence } from '../participants/presence.ts'
import { showProject } from '../projects/project-handlers.ts'
import type { StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import { findSession, findStream } from './find-session.ts'

export const streamHandlers = (store: Store, presence: Presence): Handlers<keyof typeof streamOperations> => ({
  getStream({ apiKey, sessionId, streamId }) {
    const session = findSession(store, apiKey, sessionId)
    return showStream(findStream(store, session, streamId, { malformed: 408, unknown: 404 }))
  },
  listStreams({ apiKey, sessionId }) {
    const streams = store.streams.find({ sessionId: findSession(store, apiKey, sessionId).id })
    if (streams.length === 0) throw new Refusal(404, 'The session has no streams')
    return { count: streams.length, items: streams.map(showStream) }
  },
  /** Changes all streams or, when one is not published, none. */
  setStreamLayoutClasses({ apiKey, sessionId, body: { items } }) {
    const session = findSession(store, apiKey, sessionId, 400)
    for (const { id } of items) findStream(store, session, id, { malformed: 400, unknown: 400 })
    for (const { id, layoutClassList } of items) presence.change(id, { layoutClasses: layoutClassList })
    return undefined
  },
  muteStream({ apiKey, sessionId, streamId }, { project }) {
    const session = findSession(store, apiKey, sessionId)
    presence.forceMute(findStream(store, session, streamId, { malformed: 400, unknown: 404 }).id)
    return showProject(project)
  },
  muteSession({ apiKey, sessionId, body: { active, excludedStreamIds } }, { project }) {
    presence.forceMuteAll(findSession(store, apiKey, sessionId).id, { active, excludedStreamIds })
    return showProject(project)
  },
})

const showStream = ({ id, videoType, name, layoutClasses }: StreamRecord): Stream => ({
  id,
  videoType,
  name,
  layoutClassList: [...layoutClasses],
})
