import type { ByteSource } from '../byte-source.ts'
import { surveyBoxes } from '../mp4/top-level-boxes.ts'
import { divideIntoParts, type Part } from './copy-ranges.ts'
import { moveIndex } from './move-index.ts'

/** The plan of a faststart copy, which plays while it is being fetched: its index precedes its media. */
export type FaststartPlan = LeftAlone | Assembly

/** A file that needs no copy. */
export interface LeftAlone {
  readonly kind: 'as is'
  readonly reason: 'front' | 'fragmented'
}

/** A new file made of given bytes and of ranges of the source file. */
export interface Assembly {
  readonly kind: 'assemble'
  /** Bytes of the new file. */
  readonly size: number
  /** Parts in the order of the new file, as `divideIntoParts` returns them; ranges ascend. */
  readonly parts: readonly Part[]
}

/**
 * Plans the faststart copy of an MP4: `ftyp`, the index with its offsets corrected, then everything else unchanged and
 * in order. Reads the headers of the top-level boxes, `ftyp`, the index, and the media that the first part needs.
 * @throws {@link MediaError} for an incomplete MP4, a damaged or compressed index, or encrypted samples; errors of the
 *   source pass through unchanged
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
