import { MediaError } from '../media-error.ts'

/** Writes big-endian integers, as MP4 stores them. */
export const u8 = (...values: number[]) => Buffer.from(values)
export const u16 = (...values: number[]) => write(values, 2, (bytes, value, at) => bytes.writeUInt16BE(value, at))
export const u32 = (...values: number[]) => u32List(values)
/** Writes 64-bit integers; negative ones in two's complement. */
export const u64 = (...values: number[]) => u64List(values)
/** Writes fixed-point numbers (16.16), the format of matrices and of the sizes of tracks. */
export const fixed = (...values: number[]) =>
  write(values, 4, (bytes, value, at) => bytes.writeInt32BE(value * 65536, at))
/** Writes characters of one byte each. */
export const text = (characters: string) => Buffer.from(characters, 'latin1')

/** Writes integers of a list that is too long for the arguments of a call. */
export const u32List = (values: ArrayLike<number>) =>
  write(values, 4, (bytes, value, at) => bytes.writeUInt32BE(value, at))
export const u64List = (values: ArrayLike<number>) =>
  write(values, 8, (bytes, value, at) => bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)), at))

function write(
  values: ArrayLike<number>,
  width: number,
  put: (bytes: Buffer, value: number, at: number) => void,
): Buffer {
  const bytes = Buffer.alloc(values.length * width)
  for (let n = 0; n < values.length; n++) put(bytes, values[n] as number, n * width)
  return bytes
}

/** Writes a box: its size, its four characters, its content (ISO/IEC 14496-12, 4.2). */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const size = content.reduce((sum, { length }) => sum + length, 8)
  return Buffer.concat([u32(size), text(type), ...content])
}

export const fullBox = (type: string, version: number, flags: number, ...content: Uint8Array[]) =>
  box(type, u32(version * 2 ** 24 + flags), ...content)

/** Writes the header of an `mdat` box for so many bytes of media. From 4 GiB on the size has 64 bits. */
export const mediaHeader = (bytes: number) =>
  bytes + 8 < 2 ** 32
    ? Buffer.concat([u32(bytes + 8), text('mdat')])
    : Buffer.concat([u32(1), text('mdat'), u64(bytes + 16)])

/** The header of a box of an MP4 (ISO/IEC 14496-12, 4.2). Positions are bytes of the file. */
export interface Box {
  readonly type: string
  readonly start: number
  /** First byte of the content. */
  readonly content: number
  /** First byte after the box. */
  readonly end: number
}

/**
 * Parses the header of the box at a position of the file.
 * @param bytes from that position on; 16 are enough, 8 where the file ends behind them
 * @throws {@link MediaError} when the header is cut off, or states a size smaller than itself
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

/** Parses a box header inside another box. @throws {@link MediaError} when it is damaged or exceeds its parent */
export function parseChildHeader(bytes: Buffer, start: number, parent: Pick<Box, 'type' | 'end'>): Box {
  const { end, ...header } = parseBoxHeader(bytes, start)
  if (end !== 'end of file' && end <= parent.end) return { ...header, end }
  const child = `the ${header.type} box at byte ${start}`
  throw new MediaError(`The MP4 is damaged: ${child} exceeds the ${parent.type} box around it.`)
}

export interface LoadedBox {
  readonly type: string
  readonly content: Buffer
}

/** Iterates over boxes; the last is clipped to the content. @throws {@link MediaError} for a size smaller than its header */
export function* childrenOf(content: Buffer): Generator<LoadedBox, void, undefined> {
  for (let at = 0; at + 8 <= content.length; ) {
    const { end, ...child } = parseBoxHeader(content.subarray(at, at + 16), at)
    const next = end === 'end of file' ? content.length : end
    yield { type: child.type, content: content.subarray(child.content, next) }
    at = next
  }
}

/** Bytes of fields in front of the children: version, flags and count; the fields of a visual sample entry. */
const BEFORE_CHILDREN: Readonly<Record<string, number>> = { stsd: 8, avc1: 78 }

/** Finds the first box at a path and returns its content in place. @throws {@link MediaError} when it is damaged */
export function findBox(content: Buffer, [type, ...rest]: readonly string[]): Buffer | undefined {
  for (const child of childrenOf(content)) {
    if (child.type !== type) continue
    return rest.length > 0 ? findBox(child.content.subarray(BEFORE_CHILDREN[type] ?? 0), rest) : child.content
  }
  return undefined
}
