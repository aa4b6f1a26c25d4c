import type { ByteSource } from '../byte-source.ts'
import { findFrameRate } from '../frame-rate.ts'
import { withIndex } from '../mp4/tables/with-tables.ts'
import { requireRecordingLength } from '../recording-length.ts'
import { readAhead } from './packets/read-ahead.ts'
import type { Span } from './packets/samples.ts'
import { type FoundTrack, findTracks, type VideoFacts } from './packets/tracks.ts'

/** What one worker cuts or encodes, in seconds. The first begins at 0 and has what lies before it, too. */
export interface Piece extends Span {
  readonly index: number
}

export interface PiecePlan {
  /** They touch, and cover the whole presentation. */
  readonly pieces: readonly Piece[]
  readonly video: VideoPlan | null
  readonly hasAudio: boolean
  /** Channels of audio, 0 without it. */
  readonly channels: number
  /** As RFC 6381 writes it; null without audio. */
  readonly audioCodec: string | null
}

export interface VideoPlan {
  /** As RFC 6381 writes it. */
  readonly codec: string
  /** Pixels as shown. */
  readonly width: number
  readonly height: number
  readonly frameRate: number
}

export interface PlanOptions {
  /** How long a piece may be, within a twentieth and the wait for a keyframe; default 600. */
  readonly seconds?: number
}

/** Share of a piece: a little too much makes no piece of its own. */
const SLACK = 0.05

/**
 * Divides a recording into pieces of about equal length that begin at keyframes, or anywhere when there is no video, and tells
 * what a playlist says of it. Only the index is read.
 * @throws MediaError when the file is not a whole MP4 or lasts more than 24 h, or for video and audio that HLS does not take by copy; whatever the
 *   source rejects with, unchanged
 */
export function planPieces(source: ByteSource, { seconds = 600 }: PlanOptions = {}): Promise<PiecePlan> {
  const media = readAhead(source)
  return withIndex(media, async (mp4) => {
    const { video, audio } = await findTracks(mp4, media)
    const ends = await Promise.all([video, audio].map((found) => found?.packets.end() ?? 0))
    const duration = Math.max(...ends)
    requireRecordingLength('The recording', duration)
    const count = Math.max(1, Math.ceil(duration / seconds - SLACK))
    const wanted = Array.from({ length: count - 1 }, (_, n) => ((n + 1) * duration) / count)
    const starts = [0, ...(video ? await video.packets.keyframesBehind(wanted) : wanted)]
    return {
      pieces: starts.map((start, index) => ({ index, start, end: starts[index + 1] ?? duration })),
      video: video ? await planVideo(video) : null,
      hasAudio: audio !== undefined,
      channels: audio?.facts.channels ?? 0,
      audioCodec: audio?.facts.codec ?? null,
    }
  })
}

async function planVideo({ packets, facts: { codec, width, height } }: FoundTrack<VideoFacts>): Promise<VideoPlan> {
  return { codec, width, height, frameRate: findFrameRate(await packets.durations()) }
}
