import type { MessagePort } from 'node:worker_threads'
import type { Size } from '../composing/picture.ts'

/** The packets of a client's live stream, as the media engine takes them from another thread. */
export interface LiveSource {
  readonly type: 'live'
  /** Carries {@link ToSource} to the engine and {@link FromSource} back. */
  readonly packets: MessagePort
  /** As Insights name it; absent without that track, like `audioCodec`. */
  readonly videoCodec?: VideoCodec | undefined
  readonly audioCodec?: AudioCodec | undefined
  /** Of the first keyframe. */
  readonly width: number
  readonly height: number
  /** True if the video is sent in several sizes, one of which is selected by {@link FromSource}. */
  readonly hasLayers?: boolean | undefined
}

export type VideoCodec = 'VP8' | 'H264'
export type AudioCodec = 'OPUS'
export type Kind = 'audio' | 'video'

/** An RTP packet (RFC 3550, 5.1). */
export interface LivePacket {
  readonly kind: Kind
  readonly sequence: number
  readonly timestamp: number
  readonly marker: boolean
  readonly payload: Uint8Array
  /** Milliseconds since the epoch, when it arrived. */
  readonly at: number
}

/** The times of an RTCP sender report: an RTP timestamp and the sender's clock in milliseconds. */
export interface SenderReport {
  readonly kind: Kind
  readonly timestamp: number
  readonly senderTime: number
}

/** `size` is the largest of several layers. `codec` is that of the video from now on. */
export type ToSource =
  | { readonly packet: LivePacket }
  | { readonly report: SenderReport }
  | { readonly size: Size }
  | { readonly codec: VideoCodec }
/** Packets are sent between `start` and `stop` only. `wants` is the size in which the video is drawn. */
export type FromSource = 'start' | 'stop' | 'keyframe' | { readonly wants: Size }

/** Audio of a phone in blocks and its video in packets, as the media engine takes them from another thread. */
export interface CallSource {
  readonly type: 'call'
  /** Carries {@link CallBlock} to the engine, and {@link FromCallSource} back. */
  readonly blocks: MessagePort
  /** Its codec follows with {@link ToSource}. Absent without that track. */
  readonly video?: LiveSource | undefined
}

/** Samples and the time of the first, in samples since the Unix epoch. */
export interface CallBlock {
  readonly place: number
  readonly samples: Int16Array
}

/** Blocks are sent between `start` and `stop` only. */
export type FromCallSource = 'start' | 'stop'

/** Encoded media that clients receive: a VP8 frame, or an Opus packet. */
export interface EncodedUnit {
  readonly kind: Kind
  readonly data: Uint8Array
  /** Its time since the Unix epoch, in units of its clock rate. */
  readonly place: number
}

export const CLOCK_RATES = { video: 90_000, audio: 48_000 } as const
