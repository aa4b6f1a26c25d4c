import type { z } from 'zod'
import type { ArchiveStatus } from '../../../lib/platform/contract/archives.ts'
import type { BroadcastStatus, HlsStatus, RtmpStatus } from '../../../lib/platform/contract/broadcasts.ts'
import type { CallState } from '../../../lib/platform/contract/calls.ts'
import type { ComposerStatus } from '../../../lib/platform/contract/composers.ts'
import type { layout, resolutions } from '../../../lib/platform/contract/layouts.ts'
import type { ProjectStatus } from '../../../lib/platform/contract/projects.ts'
import type { videoTypes } from '../../../lib/platform/contract/streams.ts'
import type { UploadTarget } from '../../../lib/platform/contract/upload-targets.ts'
import type { RtmpTarget, StreamChoice } from '../media/media.ts'
import type { ClientDetails, StreamFormat } from './spans.ts'

// Times of all records are milliseconds since the epoch. The handlers make the form of the wire.

export interface AccountRecord {
  /** The account's key. */
  readonly id: string
  readonly secret: string
}

export interface ProjectRecord {
  /** The API key. */
  readonly id: string
  readonly secret: string
  /** Empty if none was given. */
  readonly name: string
  readonly status: ProjectStatus
  readonly createdAt: number
  readonly updatedAt: number
  /** Time before which its key is refused as unknown; absent for the sandbox's own project. */
  readonly usableFrom?: number | undefined
  readonly uploadTarget?: UploadTarget | undefined
  /** Target of its callbacks, and the secret that signs them. */
  readonly callbacks?: { readonly url: string; readonly secret: string } | undefined
}

export interface SessionRecord {
  readonly id: string
  readonly projectId: string
  readonly createdAt: number
  /** True if media goes through the router, which archives and broadcasts need; false if it is relayed. */
  readonly routed: boolean
  readonly location?: string | undefined
  /** `always`: an archive starts automatically whenever a client publishes. */
  readonly archiveMode?: 'always' | undefined
  /** Streams published from now on are muted. */
  readonly isMuted?: boolean | undefined
}

export interface ConnectionRecord {
  readonly id: string
  readonly sessionId: string
  readonly createdAt: number
  readonly data?: string | undefined
  readonly client?: ClientDetails | undefined
}

/** A signal that a client has received; removed with the client. */
export interface SignalRecord {
  readonly id: string
  readonly connectionId: string
  readonly receivedAt: number
  readonly type?: string | undefined
  readonly data: string
  /** Connection of the client that sent it; absent if the server did. */
  readonly from?: string | undefined
}

export interface StreamRecord {
  readonly id: string
  readonly sessionId: string
  readonly connectionId: string
  readonly createdAt: number
  readonly name: string
  readonly videoType: (typeof videoTypes)[number]
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly layoutClasses: readonly string[]
  /** Format in which it is published; Insights report it. */
  readonly format?: StreamFormat | undefined
  /** Text of its generated picture instead of its name. */
  readonly caption?: string | undefined
  /** Its audio is held back, by a moderator or by the client itself. */
  readonly muted?: boolean | undefined
  /** Its video is held back by the client itself: its camera is off. */
  readonly hidden?: boolean | undefined
  /** True while its client sends neither audio nor video: a call that is not answered yet or is on hold. */
  readonly silent?: boolean | undefined
}

type Layout = z.output<typeof layout>
type Resolution = (typeof resolutions)[number]

/** A resource that runs in a session. The id of a call is that of its conference. */
interface SessionResource {
  readonly id: string
  readonly projectId: string
  readonly sessionId: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ArchiveRecord extends SessionResource {
  readonly status: ArchiveStatus
  readonly reason: string
  readonly name?: string | undefined
  readonly tag?: string | undefined
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** An individual archive, which has a file for each stream, has neither resolution nor layout. */
  readonly resolution?: Resolution | undefined
  readonly layout?: Layout | undefined
  /** Chosen streams of the stream mode `manual`; absent in the mode `auto`. */
  readonly streams?: readonly StreamChoice[] | undefined
  /** True if it started because its session's archiveMode is `always`. */
  readonly isAutomatic?: boolean | undefined
  /** Milliseconds recorded before the last pause. */
  readonly recordedMs: number
  /** Start of the current recording without a pause; absent while paused or stopped. */
  readonly recordingSince?: number | undefined
  /** Finished file: bytes, seconds with fractions, and base64 of the SHA-256. */
  readonly file?: { readonly size: number; readonly seconds: number; readonly sha256: string } | undefined
  /** Time at which an available file expires. */
  readonly availableUntil?: number | undefined
}

export interface BroadcastRecord extends SessionResource {
  readonly status: BroadcastStatus
  readonly tag?: string | undefined
  readonly resolution: Resolution
  readonly layout: Layout
  /** Chosen streams of the stream mode `manual`; absent in the mode `auto`. */
  readonly streams?: readonly StreamChoice[] | undefined
  readonly maxDuration: number
  /** Absent without HLS. */
  readonly hls?:
    | {
        readonly dvr: boolean
        readonly lowLatency: boolean
        readonly status: HlsStatus
        /** True if its address is that of a playlist of renditions. */
        readonly hasLadder?: boolean | undefined
        /** URL of its folder in the bucket to which it is mirrored, without a trailing slash. */
        readonly origin?: string | undefined
      }
    | undefined
  /** Absent without RTMP. */
  readonly rtmp?: readonly (RtmpTarget & { readonly status: RtmpStatus })[] | undefined
  /** Folder of its playlist and segments; absent when they are not files. */
  readonly directory?: string | undefined
}

/** A SIP call, without the secrets of its dial: the token and the callee's credentials. */
export interface CallRecord extends SessionResource {
  readonly connectionId: string
  readonly streamId: string
  readonly status: CallState
  /** SIP URI without a password. */
  readonly uri: string
  readonly from?: string | undefined
  /** Headers of the INVITE. */
  readonly headers: Readonly<Record<string, string>>
  /** True if credentials were given. */
  readonly authenticates: boolean
  readonly secure: boolean
  readonly video: boolean
  readonly observeForceMute: boolean
  /** Tones and announcements that the callee has heard. */
  readonly heard: readonly { readonly at: number; readonly digits?: string; readonly speech?: string }[]
  /** Last keys that the callee pressed, to recognize *6. */
  readonly pressed: string
  readonly ending?: { readonly code: number; readonly message: string } | undefined
}

export interface ComposerRecord extends SessionResource {
  readonly status: ComposerStatus
  readonly url: string
  readonly resolution: Resolution
  /** Seconds from its creation. */
  readonly maxDuration: number
  readonly name: string
  readonly data?: string | undefined
  readonly layoutClasses: readonly string[]
  /** True if a stop was requested while it was starting. */
  readonly isStopRequested?: boolean | undefined
  readonly reason?: string | undefined
  readonly connectionId?: string | undefined
  readonly streamId?: string | undefined
}

/** A callback that is not delivered yet. Ids are in the order of creation. */
export interface CallbackRecord {
  readonly id: string
  readonly projectId: string
  /** Callbacks with the same value are delivered in order. */
  readonly resource: string
  /** Body as it is sent. */
  readonly body: string
}
