import type { Readable } from 'node:stream'
import type { Size } from '../composing/picture.ts'
import type { VideoCodec } from './packets.ts'

const HEADER = 32
const FRAME_HEADER = 12

/** Returns the header of an IVF file whose times are milliseconds. ffmpeg also reads H.264 in this container. */
export function ivfHeader(codec: VideoCodec, { width, height }: Size): Buffer {
  const header = Buffer.alloc(HEADER)
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
  const header = Buffer.alloc(FRAME_HEADER)
  header.writeUInt32LE(data.length)
  header.writeBigUInt64LE(BigInt(milliseconds), 4)
  return Buffer.concat([header, data])
}

/** Calls `onFrame` with each frame of an IVF stream, and with its time in the units of the file. */
export function readIvf(stream: Readable, onFrame: (data: Uint8Array, time: number) => void): void {
  let held = Buffer.alloc(0)
  let isBegun = false
  stream.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    if (!isBegun) {
      if (held.length < HEADER) return
      held = held.subarray(HEADER)
      isBegun = true
    }
    while (held.length >= FRAME_HEADER) {
      const end = FRAME_HEADER + held.readUInt32LE(0)
      if (held.length < end) return
      onFrame(held.subarray(FRAME_HEADER, end), Number(held.readBigUInt64LE(4)))
      held = held.subarray(end)
    }
  })
}
