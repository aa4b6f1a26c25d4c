import type { sdkTypes } from '../../../lib/platform/contract/insights/insights-answers.ts'
import type { resolutions } from '../../../lib/platform/contract/layouts.ts'
import type { videoTypes } from '../../../lib/platform/contract/streams.ts'

/** What Insights tell clients apart by; what is not known is absent. */
export interface ClientDetails {
  readonly sdkType?: (typeof sdkTypes)[number] | undefined
  /** As 0.0.0. */
  readonly sdkVersion?: string | undefined
  readonly country?: string | undefined
  readonly region?: string | undefined
  readonly browser?: string | undefined
  readonly browserVersion?: string | undefined
}

/**
 * Something that went on from one instant to another: a client was connected, a stream published, an archive recorded
 * (one span between two pauses), a broadcast ran. Insights are computed from these alone.
 */
export type Span = ConnectionSpan | StreamSpan | ArchiveSpan | BroadcastSpan

interface AnySpan {
  readonly id: string
  readonly projectId: string
  readonly sessionId: string
  /** The id of the client, stream, archive or broadcast. */
  readonly subject: string
  /** Milliseconds since the epoch, like `end`. */
  readonly start: number
  /** Absent while it goes on. */
  readonly end?: number | undefined
}

export interface ConnectionSpan extends AnySpan {
  readonly kind: 'connection'
  readonly client: ClientDetails
}

export interface StreamSpan extends AnySpan {
  readonly kind: 'stream'
  readonly connectionId: string
  readonly videoType: (typeof videoTypes)[number]
  /** Absent in records that were kept before it was written down. */
  readonly format?: StreamFormat | undefined
  /** What it had when, the first one from its start. */
  readonly tracks: readonly Tracks[]
}

/** What is known of a stream; a codec only of a file, since nothing encodes a generated picture for clients. */
export interface StreamFormat {
  /** As 1280x720. */
  readonly videoResolution: string
  readonly videoCodec?: string | undefined
  readonly audioCodec?: string | undefined
}

export interface Tracks {
  readonly at: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
}

export interface ArchiveSpan extends AnySpan {
  readonly kind: 'archive'
  readonly outputMode: 'composed' | 'individual'
  readonly resolution: Resolution | undefined
}

export interface BroadcastSpan extends AnySpan {
  readonly kind: 'broadcast'
  readonly resolution: Resolution
  /** Whether HLS is among its outputs. */
  readonly hls: boolean
}

type Resolution = (typeof resolutions)[number]
