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

/** What the sandbox keeps of each resource; times are milliseconds since the epoch. The wire's form is made in handlers/. */
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
  /** Before this its key is not known yet; absent for the sandbox's own project, which can be used at once. */
  readonly usableFrom?: number | undefined
  readonly uploadTarget?: UploadTarget | undefined
  /** Where its callbacks go, and what signs them. */
  readonly callbacks?: { readonly url: string; readonly secret: string } | undefined
}

export interface SessionRecord {
  readonly id: string
  readonly projectId: string
  readonly createdAt: number
  /** Media goes through the router, which archives and broadcasts need; else it is relayed. */
  readonly routed: boolean
  readonly location?: string | undefined
  /** `always`: recorded by itself whenever somebody publishes. */
  readonly archiveMode?: 'always' | undefined
  /** Streams published from now on are muted. */
  readonly isMuted?: boolean | undefined
}

export interface ConnectionRecord {
  readonly id: string
  readonly sessionId: string
  readonly createdAt: number
  /** What its token carried. */
  readonly data?: string | undefined
  readonly client?: ClientDetails | undefined
}

/** What a client was sent; it goes with the client. */
export interface SignalRecord {
  readonly id: string
  readonly connectionId: string
  readonly receivedAt: number
  readonly type?: string | undefined
  readonly data: string
  /** The connection of the client that sent it; absent if the server did. */
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
  /** What is known of how it is published; Insights report it. */
  readonly format?: StreamFormat | undefined
  /** What its generated picture bears instead of its name. */
  readonly caption?: string | undefined
  /** Its audio is held back, by a moderator or by the client itself. */
  readonly muted?: boolean | undefined
  /** Neither audio nor picture comes from its client: a call that is not answered yet or on hold. */
  readonly silent?: boolean | undefined
}

type Layout = z.output<typeof layout>
type Resolution = (typeof resolutions)[number]

export interface ArchiveRecord {
  readonly id: string
  readonly projectId: string
  readonly sessionId: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly status: ArchiveStatus
  readonly reason: string
  readonly name?: string | undefined
  readonly tag?: string | undefined
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** An individual archive, which has a file for each stream, has neither resolution nor layout. */
  readonly resolution?: Resolution | undefined
  readonly layout?: Layout | undefined
  /** The stream mode `manual`: the chosen streams; absent in the mode `auto`. */
  readonly streams?: readonly StreamChoice[] | undefined
  /** Made because its session's archiveMode is `always`. */
  readonly isAutomatic?: boolean | undefined
  /** Time recorded before the last pause. */
  readonly recordedMs: number
  /** Since when it records without a pause; absent while it does not. */
  readonly recordingSince?: number | undefined
  /** Of the finished file: bytes, seconds with fractions, and base64 of the SHA-256. */
  readonly file?: { readonly size: number; readonly seconds: number; readonly sha256: string } | undefined
  /** When an available file expires. */
  readonly availableUntil?: number | undefined
}

export interface BroadcastRecord {
  readonly id: string
  readonly projectId: string
  readonly sessionId: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly status: BroadcastStatus
  readonly tag?: string | undefined
  readonly resolution: Resolution
  readonly layout: Layout
  /** The stream mode `manual`: the chosen streams; absent in the mode `auto`. */
  readonly streams?: readonly StreamChoice[] | undefined
  /** Seconds. */
  readonly maxDuration: number
  /** Absent without HLS. */
  readonly hls?: { readonly dvr: boolean; readonly lowLatency: boolean; readonly status: HlsStatus } | undefined
  /** Absent without RTMP. */
  readonly rtmp?: readonly (RtmpTarget & { readonly status: RtmpStatus })[] | undefined
  /** Where its playlist and segments lie, when they are files. */
  readonly directory?: string | undefined
}

/** Without what the dial must keep secret: neither its token nor the credentials for the callee are kept. */
export interface CallRecord {
  /** The conference's id. */
  readonly id: string
  readonly projectId: string
  readonly sessionId: string
  readonly connectionId: string
  readonly streamId: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly status: CallState
  /** Without a password. */
  readonly uri: string
  readonly from?: string | undefined
  /** Of the INVITE. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether credentials were given. */
  readonly authenticates: boolean
  readonly secure: boolean
  readonly video: boolean
  readonly observeForceMute: boolean
  /** The tones and announcements that the callee has heard. */
  readonly heard: readonly { readonly at: number; readonly digits?: string; readonly speech?: string }[]
  /** What the callee pressed last, in which *6 is looked for. */
  readonly pressed: string
  /** Why it ended. */
  readonly ending?: { readonly code: number; readonly message: string } | undefined
}

export interface ComposerRecord {
  readonly id: string
  readonly projectId: string
  readonly sessionId: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly status: ComposerStatus
  readonly url: string
  readonly resolution: Resolution
  /** Seconds, from its creation on. */
  readonly maxDuration: number
  /** Of its stream. */
  readonly name: string
  /** What its token carried. */
  readonly data?: string | undefined
  readonly layoutClasses: readonly string[]
  /** Asked for while it was starting. */
  readonly isStopRequested?: boolean | undefined
  readonly reason?: string | undefined
  readonly connectionId?: string | undefined
  readonly streamId?: string | undefined
}

/** A callback that nobody has taken yet; their order is that of their making. */
export interface CallbackRecord {
  readonly id: string
  readonly projectId: string
  /** Whatever has the same one arrives in order. */
  readonly resource: string
  /** As it is sent. */
  readonly body: string
}
