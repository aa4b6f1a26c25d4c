import type { ByteSource } from '../byte-source.ts'
import { surveyBoxes } from '../mp4/top-level-boxes.ts'
import { moveIndex } from './move-index.ts'

/** The plan of a faststart copy, which plays while it is being fetched: its index precedes its media. */
export type FaststartPlan = { readonly kind: 'as is'; readonly reason: 'front' | 'fragmented' } | FileAssembly

/** A new file made of given bytes and of ranges of the source file. */
export interface FileAssembly {
  readonly kind: 'assemble'
  /** Bytes of the new file. */
  readonly size: number
  /** Parts in the order of the new file, as `divideIntoParts` returns them; ranges ascend. */
  readonly parts: readonly FilePart[]
}

/**
 * Plans the faststart copy of an MP4: `ftyp`, the index with its offsets corrected, then everything else unchanged and in
 * order. Reads the headers of the top-level boxes, `ftyp`, the index, and the media that the first part needs.
 * @throws {@link MediaError} for an incomplete MP4, a damaged or compressed index, or encrypted samples
 */
export async function planFaststart(source: ByteSource): Promise<FaststartPlan> {
  const { moovPosition, boxes } = await surveyBoxes(source)
  if (moovPosition === 'fragmented' || boxes.some(({ type }) => type === 'moof'))
    return { kind: 'as is', reason: 'fragmented' }
  const [ftyp] = boxes
  const moov = boxes.find(({ type }) => type === 'moov')
  if (!ftyp || !moov || moovPosition === 'front') return { kind: 'as is', reason: 'front' }
  const [head, former] = await Promise.all([source.read(0, ftyp.end), source.read(moov.start, moov.end)])
  const index = moveIndex(former, { start: moov.start, end: moov.end, headEnd: ftyp.end, fileSize: source.size })
  const ranges = [
    { start: ftyp.end, end: moov.start },
    { start: moov.end, end: source.size },
  ]
  return {
    kind: 'assemble',
    size: source.size - former.length + index.length,
    parts: await divideIntoParts(source, Buffer.concat([head, index]), ranges),
  }
}

/** Bytes from `start` up to, not including, `end`. */
interface Range {
  readonly start: number
  readonly end: number
}

/** A part of a new file: given bytes, or a range of the source file. */
export type FilePart = { readonly bytes: Buffer } | Range

/** Limits of multipart uploads: parts, except the last, of 5 MiB to 5 GiB; at most 10,000 (S3 user guide). */
const MIN_PART = 5 * 2 ** 20
const MAX_PARTS = 10_000
/** Bytes of a copied part, which takes a second or two. Larger only where there would be too many parts. */
const COPIED_PART = 64 * 2 ** 20

/**
 * Divides a file made of given bytes and two ranges behind them into parts. The first part has the bytes and, up to 5
 * MiB, the media after them: that uploads as much as padding would, and keeps the media next to the index. So a file
 * below 5 MiB is one part.
 */
async function divideIntoParts(source: ByteSource, head: Buffer, behind: readonly Range[]): Promise<FilePart[]> {
  const ranges = behind.filter(({ start, end }) => start < end)
  const first = [head]
  let missing = MIN_PART - head.length
  const copied: Range[] = []
  for (const [index, { start, end }] of ranges.entries()) {
    const isLast = index === ranges.length - 1
    const cut = Math.min(end, start + Math.max(0, missing))
    const taken = !isLast && end - cut < MIN_PART ? end : cut // a range too small to be copied joins the first part
    if (taken > start) first.push(Buffer.from(await source.read(start, taken)))
    missing -= taken - start
    if (taken < end) copied.push({ start: taken, end })
  }
  const total = copied.reduce((sum, { start, end }) => sum + end - start, 0)
  const most = Math.max(COPIED_PART, Math.ceil(total / (MAX_PARTS - 1 - ranges.length)))
  return [{ bytes: Buffer.concat(first) }, ...copied.flatMap((range) => divideEvenly(range, most))]
}

function divideEvenly({ start, end }: Range, most: number): Range[] {
  const count = Math.ceil((end - start) / most)
  const size = Math.ceil((end - start) / count)
  return Array.from({ length: count }, (_, n) => ({
    start: start + n * size,
    end: Math.min(end, start + (n + 1) * size),
  }))
}
