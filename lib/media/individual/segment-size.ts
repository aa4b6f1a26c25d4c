import type { ByteSource } from '../byte-source.ts'

/** Room for the header in front of a segment, which has about 40 bytes, and for where the segment states its size. */
const FRONT = 256
const HEADER_ID = 0x1a45dfa3
const SEGMENT_ID = 0x18538067

/**
 * How many bytes a WebM or Matroska file says that it has (RFC 8794, 6), which tells one that was cut off. Undefined when it
 * does not say so, as one that was written to a pipe, or is no such file.
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
  /** Undefined when it is not known in advance: all bits are ones. */
  readonly size: number | undefined
  /** Where its content begins. */
  readonly data: number
}

/** Both kinds of elements asked for have ids of four bytes. */
function elementAt(bytes: Buffer, at: number): Element | undefined {
  if (at + 5 > bytes.length) return undefined
  const length = Math.clz32(bytes.readUInt8(at + 4)) - 23 // of the size: the zeros in front of the first one
  const data = at + 4 + length
  if (length > 8 || data > bytes.length) return undefined
  const unknown = 2n ** BigInt(7 * length) - 1n
  const size = BigInt(`0x${bytes.toString('hex', at + 4, data)}`) & unknown
  return { id: bytes.readUInt32BE(at), size: size === unknown ? undefined : Number(size), data }
}
