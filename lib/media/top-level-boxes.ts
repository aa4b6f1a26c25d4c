import type { ByteSource } from './byte-source.ts'
import { MediaError } from './media-error.ts'

/** Where the index (moov) lies: before the media, after it, or spread over the file in fragments (moof). */
export type MoovPosition = 'front' | 'end' | 'fragmented'

interface Box {
  readonly type: string
  /** Offset of the first byte after the box. */
  readonly end: number
}

/** A file of four hours has about 12 MB of index; far more than that is damage or malice, and would be read into memory. */
const LARGEST_MOOV = 64 * 2 ** 20
/** A file that is not fragmented has about five boxes; this only bounds the reads that a hostile one can cause. */
const MOST_BOXES = 1000

/**
 * Walks the outermost boxes of an MP4 (ISO/IEC 14496-12, 4.2) by their headers alone, 16 bytes each, and tells where the
 * index lies. In a fragmented file it stops at the first fragment.
 * @throws MediaError when the file is empty, not an MP4, cut off, or without an index
 */
export async function locateMoov(source: ByteSource): Promise<MoovPosition> {
  if (source.size === 0) throw new MediaError('The file is empty: it has zero bytes.')
  let moov: 'front' | 'end' | undefined
  let mediaSeen = false
  let position = 0
  for (let count = 0; position < source.size; count++) {
    if (count === MOST_BOXES)
      throw new MediaError(`The MP4 is damaged: it has more than ${MOST_BOXES} outermost boxes.`)
    const { type, end } = await readBox(source, position)
    if (type === 'moof' && moov) return 'fragmented'
    if (end > source.size) {
      throw new MediaError(`The file is cut off: its ${type} box ends at byte ${end}, the file at byte ${source.size}.`)
    }
    if (type === 'moov') {
      if (end - position > LARGEST_MOOV) {
        throw new MediaError(
          `The MP4 is damaged: its moov box claims ${end - position} bytes, more than any recording needs.`,
        )
      }
      moov ??= mediaSeen ? 'end' : 'front'
    }
    mediaSeen ||= type === 'mdat'
    position = end
  }
  if (!moov) throw new MediaError('The file has no moov box: it was never finished, or its end is missing.')
  return moov
}

async function readBox(source: ByteSource, position: number): Promise<Box> {
  const bytes = await source.read(position, Math.min(position + 16, source.size))
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const type = header.toString('latin1', 4, 8)
  if (position === 0 && type !== 'ftyp') {
    throw new MediaError('The file is not an MP4: it does not begin with an ftyp box.')
  }
  if (position === 0 && header.toString('latin1', 8, 12) === 'qt  ') {
    throw new MediaError('The file is a QuickTime movie (brand "qt"), not an MP4.')
  }
  if (header.length < 8) throw new MediaError(`The file is cut off inside the header of a box at byte ${position}.`)
  const size = header.readUInt32BE(0)
  if (size === 0) return { type, end: source.size } // "extends to the end of the file"
  if (size === 1 && header.length === 16) return { type, end: position + Number(header.readBigUInt64BE(8)) }
  if (size < 8) throw new MediaError(`The MP4 is damaged: the box at byte ${position} claims a size of ${size} bytes.`)
  return { type, end: position + size }
}
