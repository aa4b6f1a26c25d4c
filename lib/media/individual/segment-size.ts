import type { ByteSource } from '../byte-source.ts'

/** Bytes that hold the header in front of a segment (about 40) and the size that the segment states. */
const FRONT = 256
const HEADER_ID = 0x1a45dfa3
const SEGMENT_ID = 0x18538067

/**
 * Returns the number of bytes that a WebM or Matroska file states (RFC 8794, 6), by which a truncated file is recognized.
 * Undefined when it states none, as a file written to a pipe, or is another kind of file.
 */
export async function statedSize(source: ByteSource): Promise<number | undefined> {
  const front = Buffer.from(await source.read(0, Math.min(FRONT, source.size)))
  const header = elementAt(front, 0)
  if (header?.id !== HEADER_ID || header.size === undefined) return undefined
  const segment = elementAt(front, header.data + header.size)
  return segment?.id === SEGMENT_ID && segment.size !== undefined ? segment.data + segment.size : undefined
}

interface Element {
  readonly id: number
  /** Undefined for an unknown size, whose bits are all ones. */
  readonly size: number | undefined
  /** First byte of the content. */
  readonly data: number
}

/** Parses an element whose id has four bytes. */
function elementAt(bytes: Buffer, at: number): Element | undefined {
  if (at + 5 > bytes.length) return undefined
  const length = Math.clz32(bytes.readUInt8(at + 4)) - 23 // bytes of the size, by the zeros in front of its first bit
  const data = at + 4 + length
  if (length > 8 || data > bytes.length) return undefined
  const unknown = 2n ** BigInt(7 * length) - 1n
  const size = BigInt(`0x${bytes.toString('hex', at + 4, data)}`) & unknown
  return { id: bytes.readUInt32BE(at), size: size === unknown ? undefined : Number(size), data }
}
