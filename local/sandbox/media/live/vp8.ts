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

/** Counters of pictures and of base layers in a payload descriptor; absent if it has none. */
export interface Vp8Indices {
  readonly pictureId?: number | undefined
  readonly baseIndex?: number | undefined
}

/** Places of the counters in a payload descriptor (RFC 7741, 4.2). */
function placesOf(payload: Uint8Array): { picture?: number; isLong: boolean; base?: number } {
  const byteAt = (index: number) => payload[index] ?? 0
  const extensions = byteAt(0) & 0x80 ? byteAt(1) : 0
  const hasPicture = (extensions & 0x80) !== 0
  const isLong = hasPicture && (byteAt(2) & 0x80) !== 0
  const base = 2 + (hasPicture ? (isLong ? 2 : 1) : 0)
  return { isLong, ...(hasPicture && { picture: 2 }), ...(extensions & 0x40 && { base }) }
}

export function vp8Indices(payload: Uint8Array): Vp8Indices {
  const { picture, isLong, base } = placesOf(payload)
  const byteAt = (index: number) => payload[index] ?? 0
  return {
    ...(picture !== undefined && {
      pictureId: isLong ? ((byteAt(picture) & 0x7f) << 8) | byteAt(picture + 1) : byteAt(picture) & 0x7f,
    }),
    ...(base !== undefined && { baseIndex: byteAt(base) }),
  }
}

/** Returns a payload whose counters are increased. */
export function shiftVp8(
  payload: Uint8Array,
  by: { readonly pictureId: number; readonly baseIndex: number },
): Uint8Array {
  const shifted = Uint8Array.from(payload)
  const { picture, isLong, base } = placesOf(payload)
  const { pictureId = 0, baseIndex = 0 } = vp8Indices(payload)
  const next = pictureId + by.pictureId
  if (picture !== undefined && isLong) {
    shifted[picture] = 0x80 | ((next >> 8) & 0x7f)
    shifted[picture + 1] = next & 0xff
  } else if (picture !== undefined) shifted[picture] = next & 0x7f
  if (base !== undefined) shifted[base] = (baseIndex + by.baseIndex) & 0xff
  return shifted
}
