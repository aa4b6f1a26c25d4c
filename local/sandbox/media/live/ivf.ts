import type { Size } from '../composing/picture.ts'
import type { VideoCodec } from './packets.ts'

/** Returns the header of an IVF file whose times are milliseconds. ffmpeg also reads H.264 in this container. */
export function ivfHeader(codec: VideoCodec, { width, height }: Size): Buffer {
  const header = Buffer.alloc(32)
  header.write('DKIF', 'latin1')
  header.writeUInt16LE(header.length, 6)
  header.write(codec === 'VP8' ? 'VP80' : 'H264', 8, 'latin1')
  header.writeUInt16LE(width, 12)
  header.writeUInt16LE(height, 14)
  header.writeUInt32LE(1_000, 16)
  header.writeUInt32LE(1, 20)
  return header
}

/** Returns a frame with its header. */
export function ivfFrame(data: Uint8Array, milliseconds: number): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt32LE(data.length)
  header.writeBigUInt64LE(BigInt(milliseconds), 4)
  return Buffer.concat([header, data])
}
