import type { ByteSource } from '../byte-source.ts'
import { withIndex } from '../mp4/tables/with-tables.ts'
import { readAhead } from '../read-ahead.ts'
import { requireRecordingLength } from '../recording-length.ts'
import type { PresentationSpan } from './packets/samples.ts'
import { findTracks } from './packets/tracks.ts'

/** A time range that one worker cuts or encodes, in seconds. The first begins at 0 and includes packets before 0. */
export interface Piece extends PresentationSpan {
  readonly index: number
}

/** Share of a piece that may exceed its duration without making another piece. */
const SLACK = 0.05

/**
 * Divides a recording into consecutive pieces of about equal duration, which begin at keyframes, or at any time without video.
 * Reads only the index.
 * @param options.seconds of a piece, plus up to a twentieth and the wait for a keyframe
 * @throws {@link MediaError} for an incomplete MP4, one of more than 24 h, or video and audio that HLS cannot copy
 */
export function planPieces(source: ByteSource, { seconds = 600 } = {}): Promise<Piece[]> {
  const media = readAhead(source)
  return withIndex(media, async (mp4) => {
    const { video, audio } = await findTracks(mp4, media)
    const ends = await Promise.all([video, audio].map((found) => found?.packets.end() ?? 0))
    const duration = Math.max(...ends)
    requireRecordingLength('The recording', duration)
    const count = Math.max(1, Math.ceil(duration / seconds - SLACK))
    const wanted = Array.from({ length: count - 1 }, (_, n) => ((n + 1) * duration) / count)
    const starts = [0, ...(video ? await video.packets.keyframesBehind(wanted) : wanted)]
    return starts.map((start, index) => ({ index, start, end: starts[index + 1] ?? duration }))
  })
}
