import type { Clock } from '../../../lib/clock.ts'
import type { departureReasons } from '../../../lib/platform/contract/callbacks.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Media, StreamSource } from '../media/media.ts'
import { PATTERN } from '../media/pattern/pattern.ts'
import type { Ids } from '../state/ids.ts'
import type { ConnectionRecord, SignalRecord, StreamRecord } from '../state/records.ts'
import type { ClientDetails, StreamFormat } from '../state/spans.ts'
import type { Store } from '../state/store.ts'
import type { Timers } from '../state/timers.ts'

/** Listener for the clients and streams of sessions. */
export interface PresenceListener {
  onJoined?(connection: ConnectionRecord): void
  /** The client and its streams are gone. */
  onLeft?(connection: ConnectionRecord, reason: DepartureReason): void
  onPublished?(stream: StreamRecord): void
  onUnpublished?(stream: StreamRecord, reason: DepartureReason): void
  /** The stream's tracks or layout classes have changed. */
  onChanged?(stream: StreamRecord): void
  /** A moderator has muted the stream, or it was published into a muted session. */
  onForceMuted?(stream: StreamRecord): void
  /** A moderator has muted or unmuted the session: this applies to streams published from now on. */
  onSessionMuted?(sessionId: string, isMuted: boolean): void
  onSignal?(signal: SignalRecord): void
  /** The first client publishes. */
  onPublishing?(sessionId: string): void
  /** The last client has stopped publishing. */
  onIdle?(sessionId: string): void
  /** The last client left a minute ago, and none has joined since. */
  onEnded?(sessionId: string): void
}

export type DepartureReason = (typeof departureReasons)[number]
export type NewStream = Pick<
  StreamRecord,
  'name' | 'videoType' | 'hasAudio' | 'hasVideo' | 'layoutClasses' | 'caption' | 'muted' | 'hidden' | 'silent'
> & {
  /** @default a new id */
  readonly id?: string
  /** @default a generated pattern */
  readonly source?: StreamSource
}
/** A signal to send; `from` is the connection of the sending client, absent for the server. */
export type NewSignal = Pick<SignalRecord, 'type' | 'data' | 'from'>

/** Clients connected to sessions, and the streams that they publish. */
export type Presence = ReturnType<typeof createPresence>

export function createPresence(parts: { store: Store; clock: Clock; timers: Timers; ids: Ids; media: Media }) {
  const { store, clock, timers, ids, media } = parts
  const listeners: PresenceListener[] = []
  const hasClients = (sessionId: string) => store.connections.count({ sessionId }) > 0
  const isPublishing = (sessionId: string) => store.streams.count({ sessionId }) > 0

  /** Ends a stream whose client stays. */
  const unpublish = (stream: StreamRecord, reason: DepartureReason = 'clientDisconnected') => {
    const { id, sessionId } = stream
    media.unpublish(sessionId, id)
    store.streams.remove(id)
    for (const listener of listeners) listener.onUnpublished?.(stream, reason)
    if (!isPublishing(sessionId)) for (const listener of listeners) listener.onIdle?.(sessionId)
  }
  /** Mutes a stream for a moderator, also one that is muted already. */
  const forceMute = (streamId: string) => {
    const muted = change(streamId, { muted: true })
    for (const listener of listeners) listener.onForceMuted?.(muted)
  }
  const awaitReturn = (sessionId: string) =>
    timers.set(sessionId, 'empty', clock.now() + limits.emptySession.value * 1000, () => {
      for (const listener of listeners) listener.onEnded?.(sessionId)
    })
  /** Changes the tracks that a stream carries, or its layout classes. */
  const change = (
    streamId: string,
    changes: Partial<Pick<StreamRecord, 'hasVideo' | 'muted' | 'hidden' | 'silent' | 'layoutClasses'>>,
  ): StreamRecord => {
    const stream = store.streams.update(streamId, changes)
    media.updateStream(stream.sessionId, streamId, {
      ...drawn(stream),
      layoutClasses: stream.layoutClasses,
    })
    for (const listener of listeners) listener.onChanged?.(stream)
    return stream
  }

  return {
    change,
    unpublish,
    forceMute,
    hasClients,
    isPublishing,
    listen: (listener: PresenceListener) => void listeners.push(listener),
    /** Connects a client. `data` is the connection data of its token, `client` its details for Insights. */
    connect(sessionId: string, data?: string, client?: ClientDetails): ConnectionRecord {
      const connection = { id: ids.uuid(), sessionId, createdAt: clock.now(), data, client }
      store.connections.insert(connection)
      timers.cancel(sessionId, 'empty')
      for (const listener of listeners) listener.onJoined?.(connection)
      return connection
    },
    /** Publishes a stream. In a muted session it is muted from the start. */
    publish(connection: ConnectionRecord, { source = { type: 'pattern' }, ...described }: NewStream): StreamRecord {
      const { id: connectionId, sessionId, data: connectionData } = connection
      const isForced = store.sessions.get(sessionId)?.isMuted === true
      const muted = described.muted || isForced
      const own = { ...described, muted, format: formatOf(source) }
      const stream = { ...own, id: described.id ?? ids.uuid(), sessionId, connectionId, createdAt: clock.now() }
      const isFirst = !isPublishing(sessionId)
      const { name, videoType, layoutClasses, caption, hasAudio, hasVideo } = described
      const shown = { name: caption ?? name, videoType, layoutClasses, ...drawn(stream) }
      const from = { sessionId, streamId: stream.id, connectionData, tracks: { hasAudio, hasVideo } }
      media.publish({ ...shown, ...from, source })
      store.streams.insert(stream)
      for (const listener of listeners) listener.onPublished?.(stream)
      if (isForced) for (const listener of listeners) listener.onForceMuted?.(stream)
      if (isFirst) for (const listener of listeners) listener.onPublishing?.(sessionId)
      return stream
    },
    /** Mutes every stream of a session except those excluded, and every later one; or stops muting later ones. */
    forceMuteAll(
      sessionId: string,
      { active, excludedStreamIds }: { active: boolean; excludedStreamIds: readonly string[] },
    ) {
      store.sessions.update(sessionId, { isMuted: active })
      for (const listener of listeners) listener.onSessionMuted?.(sessionId, active)
      for (const { id } of active ? store.streams.find({ sessionId }) : [])
        if (!excludedStreamIds.includes(id)) forceMute(id)
    },
    signal({ id: connectionId }: ConnectionRecord, { type, data, from }: NewSignal) {
      const signal = { id: ids.uuid(), connectionId, receivedAt: clock.now(), type, data, from }
      store.signals.insert(signal)
      for (const listener of listeners) listener.onSignal?.(signal)
    },
    /** Ends a client's streams, and disconnects it. */
    disconnect(connection: ConnectionRecord, reason: DepartureReason = 'clientDisconnected') {
      const { id, sessionId } = connection
      for (const stream of store.streams.find({ connectionId: id })) unpublish(stream, reason)
      for (const signal of store.signals.find({ connectionId: id })) store.signals.remove(signal.id)
      store.connections.remove(id)
      for (const listener of listeners) listener.onLeft?.(connection, reason)
      if (!hasClients(sessionId)) awaitReturn(sessionId)
    },
  }
}

/** Returns the format in which a source is published. */
function formatOf(source: StreamSource): StreamFormat | undefined {
  if (source.type === 'call') return undefined // its codec is not known before it is answered
  if (source.type === 'pattern') {
    const { width, height } = source.size ?? PATTERN
    return { videoResolution: `${width}x${height}` }
  }
  const { width, height, videoCodec, audioCodec } = source
  return { videoResolution: `${width}x${height}`, videoCodec, audioCodec }
}

/** Returns the tracks that a stream carries now: none that is held back, and none while its client sends nothing. */
export const audibleAndVisible = ({ hasAudio, hasVideo, muted, hidden, silent }: StreamRecord) => ({
  hasAudio: hasAudio && !muted && !silent,
  hasVideo: hasVideo && !hidden && !silent,
})

/** Returns what outputs contain of a stream. One whose camera is off keeps its place. */
const drawn = (stream: StreamRecord) => ({
  ...audibleAndVisible({ ...stream, hidden: false }),
  ...(stream.hidden !== undefined && { isHidden: stream.hidden }),
})
