import type { sdkTypes } from '../../../lib/platform/contract/insights/insights-answers.ts'
import type { resolutions } from '../../../lib/platform/contract/layouts.ts'
import type { videoTypes } from '../../../lib/platform/contract/streams.ts'

/** Details by which Insights distinguish clients; unknown ones are absent. */
export interface ClientDetails {
  readonly sdkType?: (typeof sdkTypes)[number] | undefined
  /** Version such as 2.27.1. */
  readonly sdkVersion?: string | undefined
  readonly country?: string | undefined
  readonly region?: string | undefined
  readonly browser?: string | undefined
  readonly browserVersion?: string | undefined
}

/**
 * A period in which a client was connected, a stream was published, an archive recorded (one span between two pauses) or a
 * broadcast ran. Insights are computed from spans alone.
 */
export type Span = ConnectionSpan | StreamSpan | ArchiveSpan | BroadcastSpan

interface AnySpan {
  readonly id: string
  readonly projectId: string
  readonly sessionId: string
  /** Id of the client, stream, archive or broadcast. */
  readonly subject: string
  /** Milliseconds since the epoch, like `end`. */
  readonly start: number
  /** Absent while the span continues. */
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
  /** Absent in older records. */
  readonly format?: StreamFormat | undefined
  /** Tracks by the time of their change, the first from the start. */
  readonly tracks: readonly TrackState[]
}

/** Format of a stream. Files and WebRTC streams have codecs; nothing encodes a generated picture for clients. */
export interface StreamFormat {
  /** Width and height such as 1280x720. */
  readonly videoResolution: string
  readonly videoCodec?: string | undefined
  readonly audioCodec?: string | undefined
}

/** Measurement of a WebRTC stream in one interval, as its publisher sends it or as a client receives it. */
export interface StreamMeasurement {
  /** Id of the stream, or of the client and the stream, then the number of the interval. */
  readonly id: string
  readonly sessionId: string
  readonly audio?: MeasuredTrack | undefined
  readonly video?: MeasuredTrack | undefined
  readonly videoResolution?: string | undefined
}

export interface MeasuredTrack {
  readonly bitrateKbps: number
  /** Share of the packets that did not arrive at first, 0 to 1. */
  readonly packetLoss: number
  readonly jitterMs?: number | undefined
  readonly latencyMs?: number | undefined
  readonly codec?: string | undefined
  readonly frameRate?: number | undefined
}

export interface TrackState {
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
  /** True if HLS is among its outputs. */
  readonly hls: boolean
}

type Resolution = (typeof resolutions)[number]
