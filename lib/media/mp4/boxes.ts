/** Whole numbers as MP4 stores them, the highest byte first. */
export const u8 = (...values: number[]) => Buffer.from(values)
export const u16 = (...values: number[]) => write(values, 2, (bytes, value, at) => bytes.writeUInt16BE(value, at))
export const u32 = (...values: number[]) => write(values, 4, (bytes, value, at) => bytes.writeUInt32BE(value, at))
export const u64 = (...values: number[]) =>
  write(values, 8, (bytes, value, at) => bytes.writeBigUInt64BE(BigInt(value), at))
/** Fixed-point 16.16, as matrices and sizes of tracks are written. */
export const fixed = (...values: number[]) =>
  write(values, 4, (bytes, value, at) => bytes.writeInt32BE(value * 65536, at))
export const text = (characters: string) => Buffer.from(characters, 'latin1')

/** A box: its size, its four characters, its content (ISO/IEC 14496-12, 4.2). */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const size = content.reduce((sum, { length }) => sum + length, 8)
  return Buffer.concat([u32(size), text(type), ...content])
}

/** A box that begins with a version and flags. */
export const fullBox = (type: string, version: number, flags: number, ...content: Uint8Array[]) =>
  box(type, u32(version * 2 ** 24 + flags), ...content)

function write(values: number[], width: number, put: (bytes: Buffer, value: number, at: number) => void): Buffer {
  const bytes = Buffer.alloc(values.length * width)
  for (const [index, value] of values.entries()) put(bytes, value, index * width)
  return bytes
}
