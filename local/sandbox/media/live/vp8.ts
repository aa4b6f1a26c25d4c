import type { Size } from '../composing/picture.ts'

/** Returns the part of a VP8 frame that an RTP payload carries, without its descriptor (RFC 7741, 4.2). */
export function vp8PartOf(payload: Uint8Array): Uint8Array {
  const byteAt = (index: number) => payload[index] ?? 0
  let length = 1
  if (byteAt(0) & 0x80) {
    const extensions = byteAt(1)
    length = 2
    if (extensions & 0x80) length += byteAt(length) & 0x80 ? 2 : 1 // picture id
    if (extensions & 0x40) length += 1 // index of the base layer
    if (extensions & 0x30) length += 1 // temporal layer and key index
  }
  return payload.subarray(length)
}

/** Returns true for the payload that begins a frame. */
export const beginsVp8Frame = (payload: Uint8Array): boolean => ((payload[0] ?? 0) & 0x17) === 0x10

/** Returns the size of a keyframe, by the start of its first part; undefined for any other frame (RFC 6386, 9.1). */
export function vp8KeyframeSize(frame: Uint8Array): Size | undefined {
  if (frame.length < 10 || (frame[0] as number) & 1) return undefined
  if (frame[3] !== 0x9d || frame[4] !== 0x01 || frame[5] !== 0x2a) return undefined
  const view = new DataView(frame.buffer, frame.byteOffset)
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff }
}
