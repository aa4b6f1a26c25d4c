import { type ByteSource, bufferOf } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { type Box, parseBoxHeader } from './boxes.ts'

/** The position of the index: `moov` before the media, after it, or spread over the file in fragments (`moof`). */
export type MoovPosition = 'front' | 'end' | 'fragmented'

export interface TopLevelBoxes {
  readonly moovPosition: MoovPosition
  /** Boxes in order, without gaps; of a fragmented file up to its first fragment. */
  readonly boxes: readonly Box[]
}

/** A file of four hours has about 12 MB of index, which is read into memory; one beyond this is damaged or hostile. */
const MAX_MOOV_BYTES = 64 * 2 ** 20
/** A file without fragments has about five boxes; this bounds the reads that a hostile one can cause. */
const MAX_BOXES = 1000

/**
 * Lists the top-level boxes of an MP4 by their headers alone, 16 bytes each. In a fragmented file it stops at the first
 * fragment.
 * @throws {@link MediaError} when the file is empty, not an MP4, truncated, or without an index
 */
export async function surveyBoxes(source: ByteSource): Promise<TopLevelBoxes> {
  if (source.size === 0) throw new MediaError('The file is empty: it has zero bytes.')
  const boxes: Box[] = []
  let moovPosition: 'front' | 'end' | undefined
  for (let position = 0; position < source.size; ) {
    if (boxes.length === MAX_BOXES)
      throw new MediaError(`The MP4 is damaged: it has more than ${MAX_BOXES} top-level boxes.`)
    const box = await readBox(source, position)
    const { type, start, end } = box
    if (type === 'moof' && moovPosition) return { moovPosition: 'fragmented', boxes }
    if (end > source.size) {
      throw new MediaError(`The file is cut off: its ${type} box ends at byte ${end}, the file at byte ${source.size}.`)
    }
    if (type === 'moov') {
      if (end - start > MAX_MOOV_BYTES) {
        throw new MediaError(
          `The MP4 is damaged: its moov box claims ${end - start} bytes, more than any recording needs.`,
        )
      }
      moovPosition ??= boxes.some((before) => before.type === 'mdat') ? 'end' : 'front'
    }
    boxes.push(box)
    position = end
  }
  if (!moovPosition) throw new MediaError('The file has no moov box: it was never finished, or its end is missing.')
  return { moovPosition, boxes }
}

/** Returns the position of the index. @throws {@link MediaError} as `surveyBoxes` does */
export const locateMoov = async (source: ByteSource): Promise<MoovPosition> => (await surveyBoxes(source)).moovPosition

async function readBox(source: ByteSource, position: number): Promise<Box> {
  const header = bufferOf(await source.read(position, Math.min(position + 16, source.size)))
  if (position === 0 && header.toString('latin1', 4, 8) !== 'ftyp') {
    throw new MediaError('The file is not an MP4: it does not begin with an ftyp box.')
  }
  if (position === 0 && header.toString('latin1', 8, 12) === 'qt  ') {
    throw new MediaError('The file is a QuickTime movie (brand "qt"), not an MP4.')
  }
  const box = parseBoxHeader(header, position)
  return box.end === 'end of file' ? { ...box, end: source.size } : { ...box, end: box.end }
}
