import type { Clock } from '../../lib/clock.ts'
import { limits } from '../../lib/platform/contract/limits.ts'
import type { Ids } from './ids.ts'
import type { Media } from './media/media.ts'
import type { ConnectionRecord, StreamRecord } from './records.ts'
import type { Store } from './store.ts'
import type { Timers } from './timers.ts'

/** What changes for a session's archives and broadcasts when its clients come and go. */
export interface AttendanceListener {
  /** The first client publishes. */
  onPublishing?(sessionId: string): void
  /** The last client has stopped publishing. */
  onIdle?(sessionId: string): void
  /** The last client left a minute ago and nobody came back. */
  onEnded(sessionId: string): void
}

export type NewStream = Pick<StreamRecord, 'name' | 'videoType' | 'hasAudio' | 'hasVideo' | 'layoutClasses'>

/** Who is connected to a session and what they publish. */
export interface Attendance {
  connect(sessionId: string): ConnectionRecord
  publish(connection: ConnectionRecord, stream: NewStream): StreamRecord
  /** Ends a client's streams and then the client. */
  disconnect(connection: ConnectionRecord): void
  hasClients(sessionId: string): boolean
  isPublishing(sessionId: string): boolean
  listen(listener: AttendanceListener): void
}

export function createAttendance(parts: {
  store: Store
  clock: Clock
  timers: Timers
  ids: Ids
  media: Media
}): Attendance {
  const { store, clock, timers, ids, media } = parts
  const listeners: AttendanceListener[] = []
  const hasClients = (sessionId: string) => store.connections.count({ sessionId }) > 0
  const isPublishing = (sessionId: string) => store.streams.count({ sessionId }) > 0

  const unpublish = ({ id, sessionId }: StreamRecord) => {
    media.unpublish(sessionId, id)
    store.streams.remove(id)
    if (!isPublishing(sessionId)) for (const listener of listeners) listener.onIdle?.(sessionId)
  }
  const awaitReturn = (sessionId: string) =>
    timers.set(sessionId, 'empty', clock.now() + limits.emptySession.value * 1000, () => {
      for (const listener of listeners) listener.onEnded(sessionId)
    })

  return {
    hasClients,
    isPublishing,
    listen: (listener) => listeners.push(listener),
    connect(sessionId) {
      const connection = { id: ids.uuid(), sessionId, createdAt: clock.now() }
      store.connections.insert(connection)
      timers.cancel(sessionId, 'empty')
      return connection
    },
    publish({ id: connectionId, sessionId }, described) {
      const stream = { ...described, id: ids.uuid(), sessionId, connectionId, createdAt: clock.now() }
      const isFirst = !isPublishing(sessionId)
      media.publish({ ...described, sessionId, streamId: stream.id, source: { type: 'pattern' } })
      store.streams.insert(stream)
      if (isFirst) for (const listener of listeners) listener.onPublishing?.(sessionId)
      return stream
    },
    disconnect({ id, sessionId }) {
      for (const stream of store.streams.find({ connectionId: id })) unpublish(stream)
      store.connections.remove(id)
      if (!hasClients(sessionId)) awaitReturn(sessionId)
    },
  }
}
