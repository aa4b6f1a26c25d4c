import type { Size } from '../composing/picture.ts'

/** Profiles whose parameters describe the chroma format (H.264, 7.3.2.1.1). */
const HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128]

/** Returns the size of the picture by a sequence parameter set without its start code (H.264, 7.3.2.1.1); undefined if it is damaged. */
export function spsSize(unit: Uint8Array): Size | undefined {
  const bits = createBits(withoutEmulation(unit.subarray(1)))
  const profile = bits.read(8)
  bits.read(16)
  bits.exponential()
  if (HIGH_PROFILES.includes(profile)) return undefined // never offered; its scaling lists are not parsed
  bits.exponential()
  const orderType = bits.exponential()
  if (orderType === 0) bits.exponential()
  else if (orderType === 1) {
    bits.read(1)
    bits.exponential()
    bits.exponential()
    for (let left = bits.exponential(); left > 0; left--) bits.exponential()
  }
  bits.exponential()
  bits.read(1)
  const widthInBlocks = bits.exponential() + 1
  const heightInUnits = bits.exponential() + 1
  const isProgressive = bits.read(1)
  if (!isProgressive) bits.read(1)
  bits.read(1)
  const [left, right, top, bottom] = bits.read(1)
    ? [bits.exponential(), bits.exponential(), bits.exponential(), bits.exponential()]
    : [0, 0, 0, 0]
  const lines = 2 - isProgressive // of a unit
  const width = 16 * widthInBlocks - 2 * (left + right)
  const height = 16 * heightInUnits * lines - 2 * lines * (top + bottom)
  return bits.isOver() || width <= 0 || height <= 0 ? undefined : { width, height }
}

function createBits(bytes: Uint8Array) {
  let place = 0
  const read = (count: number) => {
    let value = 0
    for (let bit = 0; bit < count; bit++, place++)
      value = 2 * value + (((bytes[place >> 3] ?? 0) >> (7 - (place & 7))) & 1)
    return value
  }
  return {
    read,
    /** An unsigned Exp-Golomb code (H.264, 9.1). */
    exponential() {
      let zeros = 0
      while (zeros < 32 && read(1) === 0) zeros++
      return 2 ** zeros - 1 + read(zeros)
    },
    isOver: () => place > 8 * bytes.length,
  }
}

/** Removes the bytes that keep start codes out of a unit (H.264, 7.4.1). */
const withoutEmulation = (bytes: Uint8Array) =>
  bytes.filter((byte, index) => !(byte === 3 && bytes[index - 1] === 0 && bytes[index - 2] === 0))
