import type { ByteSource } from '../byte-source.ts'
import { surveyBoxes } from '../mp4/top-level-boxes.ts'
import { divideIntoParts, type Part } from './copy-ranges.ts'
import { moveIndex } from './move-index.ts'

/** How a copy that plays while it is being fetched comes about: its index lies before its media. */
export type FaststartPlan = LeftAlone | Assembly

/** The file is faststart already. */
export interface LeftAlone {
  readonly kind: 'as is'
  readonly reason: 'front' | 'fragmented'
}

/** A new file made of bytes that are given and of ranges of the file that it is planned for. */
export interface Assembly {
  readonly kind: 'assemble'
  /** Of the new file, in bytes. */
  readonly size: number
  /** In the order of the new file; ranges ascend. As `divideIntoParts` makes them. */
  readonly parts: readonly Part[]
}

/**
 * Plans the faststart copy of an MP4: `ftyp`, the index with its offsets corrected, then everything else as it was, in its
 * order and byte for byte. Reads the headers of the outermost boxes, `ftyp`, the index, and of the media no more than the
 * first part needs.
 * @throws MediaError when the file is not a whole MP4, its index is damaged or compressed, or its samples are encrypted;
 *   whatever the source rejects with, unchanged
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
