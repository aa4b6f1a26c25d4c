import { MediaError } from '../../media-error.ts'
import { findBox } from '../../mp4/boxes.ts'
import { boxesIn, entriesOf } from '../fragment-reader.ts'

/** A fragment of a live encoding. Times are seconds from the start of the encoding. */
export interface LiveFragment {
  readonly start: number
  readonly duration: number
  /** True if its first frame is a keyframe. */
  readonly isIndependent: boolean
  /** Its `moof` and `mdat` boxes. */
  readonly bytes: Buffer
}

/** A fragmented MP4 in parts: its init segment first, then its fragments. */
export type LivePiece = { readonly init: Buffer } | { readonly fragment: LiveFragment }

/**
 * Splits the fragmented MP4 of an encoder. Times are those of its first track. Drops an incomplete fragment at the end.
 * @throws {@link MediaError} for a stream whose index names no time scale
 */
export async function* liveFragmentsIn(stream: AsyncIterable<Buffer>): AsyncGenerator<LivePiece> {
  let timescale = 0
  let header: Buffer[] = []
  let head: { readonly content: Buffer; readonly bytes: Buffer } | undefined
  for await (const { type, content, bytes } of boxesIn(stream)) {
    if (type === 'ftyp') header = [bytes]
    if (type === 'moov') {
      timescale = timescaleOf(content)
      yield { init: Buffer.concat([...header, bytes]) }
    }
    if (type === 'moof') head = { content, bytes }
    if (type !== 'mdat' || !head) continue
    const frames = entriesOf(head.content)
    const ticks = frames.reduce((sum, { duration }) => sum + duration, 0)
    const [first] = frames
    const media = Buffer.concat([head.bytes, bytes])
    head = undefined
    if (!first) continue
    const start = first.decodeTime / timescale
    yield { fragment: { start, duration: ticks / timescale, isIndependent: first.isKey, bytes: media } }
  }
}

/** Reads the ticks per second of the first track (ISO/IEC 14496-12, 8.4.2). */
function timescaleOf(moov: Buffer): number {
  const mdhd = findBox(moov, ['trak', 'mdia', 'mdhd'])
  const ticks = mdhd?.readUInt32BE(mdhd[0] === 1 ? 20 : 12)
  if (!ticks) throw new MediaError('The live encoding names no time scale: its index is damaged.')
  return ticks
}
