import type { LinkStatus } from './link.ts'
import type { ConnectionInfo, DepartureReason, Role, StreamInfo, VideoType } from './protocol.ts'
import type { MeasuredQuality } from './quality.ts'

/** State of a session, as of the last call of `onChange`. Each call has a new object. */
export interface SessionState {
  /** `reconnecting`: the connection was lost, and is tried again. `left`: it is over, and nothing is tried again. */
  readonly status: 'connecting' | 'connected' | 'reconnecting' | 'left'
  /** Reason why the session is not connected, as a sentence for users. */
  readonly problem?: string | undefined
  /** Reason of a departure that was not the own wish: `forceDisconnected` by a moderator. */
  readonly reason?: DepartureReason | undefined
  /** Id of the own connection; another one after a reconnection. */
  readonly connectionId?: string | undefined
  readonly role?: Role | undefined
  /** True if a moderator has muted the session: streams that are published from now on are muted. */
  readonly isMuted: boolean
  /** The other clients. */
  readonly connections: readonly ConnectionInfo[]
  /** The streams of the others, in the order of their creation. */
  readonly streams: readonly RemoteStream[]
  readonly publications: readonly PublicationState[]
}

/** A stream of another client. It is received automatically. */
export interface RemoteStream extends StreamInfo {
  /** Its tracks, for the `srcObject` of a video element. The same object as long as the stream exists. */
  readonly media: MediaStream
  readonly status: LinkStatus
  /** Reason why it cannot be received. */
  readonly problem?: string | undefined
  /** Absent until it is measured. */
  readonly quality?: MeasuredQuality | undefined
}

/** An own stream. */
export interface PublicationState {
  readonly name: string
  readonly videoType: VideoType
  /** Its tracks, for a self view. The same object as long as it is published. */
  readonly media: MediaStream
  /** Id of the stream, once the others can receive it. */
  readonly streamId?: string | undefined
  /** False while it is muted, by `setAudio`, by a moderator, or because it has no such track. */
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** True if a moderator has muted it, until `setAudio(true)`. */
  readonly isMutedByModerator: boolean
  readonly status: LinkStatus
  readonly problem?: string | undefined
  readonly quality?: MeasuredQuality | undefined
}
