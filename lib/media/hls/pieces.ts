import type { ByteSource } from '../byte-source.ts'
import { findFrameRate } from '../frame-rate.ts'
import { withIndex } from '../mp4/tables/with-tables.ts'
import { readAhead } from '../read-ahead.ts'
import { requireRecordingLength } from '../recording-length.ts'
import type { Span } from './packets/samples.ts'
import { type FoundTrack, findTracks, type VideoFacts } from './packets/tracks.ts'

/** A time range that one worker cuts or encodes, in seconds. The first begins at 0 and includes packets before 0. */
export interface Piece extends Span {
  readonly index: number
}

export interface PiecePlan {
  /** Consecutive pieces that cover the whole presentation. */
  readonly pieces: readonly Piece[]
  readonly video: VideoPlan | null
  readonly hasAudio: boolean
  /** Channels of the audio; 0 without audio. */
  readonly channels: number
  /** Codec string of RFC 6381; null without audio. */
  readonly audioCodec: string | null
}

export interface VideoPlan {
  /** Codec string of RFC 6381. */
  readonly codec: string
  /** Pixels as shown. */
  readonly width: number
  readonly height: number
  readonly frameRate: number
}

export interface PlanOptions {
  /** Seconds of a piece, plus up to a twentieth and the wait for a keyframe. @default 600 */
  readonly seconds?: number
}

/** Share of a piece that may exceed its duration without making another piece. */
const SLACK = 0.05

/**
 * Divides a recording into pieces of about equal duration, and reports the facts for its playlists. Pieces begin at
 * keyframes, or at any time without video. Reads only the index.
 * @throws {@link MediaError} for an incomplete MP4, one of more than 24 h, or video and audio that HLS cannot copy;
 *   errors of the source pass through unchanged
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
