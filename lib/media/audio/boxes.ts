/** The parts of an MP4 box, in order. */
type Part = Buffer | readonly Part[]

const joined = (part: Part): Buffer => (Buffer.isBuffer(part) ? part : Buffer.concat(part.map(joined)))

/** An MP4 box: its length, its four letters, its content (ISO/IEC 14496-12, 4.2). */
export function box(type: string, ...content: Part[]): Buffer {
  const body = joined(content)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** A box that states its version, and flags. */
export const fullBox = (type: string, version: number, flags: number, ...content: Part[]): Buffer =>
  box(type, u32(version * 2 ** 24 + flags), content)

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [n, value] of values.entries()) bytes.writeUInt16BE(value, n * 2)
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, n * 4)
  return bytes
}

/** Signed, since an edit list counts back to before the start; -1 says "nothing". */
export function i64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [n, value] of values.entries()) bytes.writeBigInt64BE(BigInt(value), n * 8)
  return bytes
}
