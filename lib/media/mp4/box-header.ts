import { MediaError } from '../media-error.ts'

/** A box of an MP4 by what its header says (ISO/IEC 14496-12, 4.2); places are bytes of the file. */
export interface Box {
  readonly type: string
  readonly start: number
  /** The first byte of what it holds. */
  readonly content: number
  /** The first byte after it. */
  readonly end: number
}

/**
 * Reads the header of the box at a place of the file.
 * @param bytes from that place on; 16 of them are enough, 8 where the file ends behind them
 * @throws MediaError when the header is cut off, or states a size smaller than itself
 */
export function parseBoxHeader(bytes: Buffer, start: number): Omit<Box, 'end'> & { end: number | 'end of file' } {
  if (bytes.length < 8) throw new MediaError(`The file is cut off inside the header of a box at byte ${start}.`)
  const type = bytes.toString('latin1', 4, 8)
  const stated = bytes.readUInt32BE(0)
  if (stated === 0) return { type, start, content: start + 8, end: 'end of file' }
  const isLarge = stated === 1 && bytes.length >= 16
  const [size, header] = isLarge ? [Number(bytes.readBigUInt64BE(8)), 16] : [stated, 8]
  if (size < header)
    throw new MediaError(`The MP4 is damaged: the box at byte ${start} claims a size of ${size} bytes.`)
  return { type, start, content: start + header, end: start + size }
}
