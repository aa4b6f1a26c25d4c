/**
 * Fields of a timecode: a frame's number in black and white that survives scaling and encoding. The fields are white, black,
 * the number (24 bits, the highest first), a check (4 bits), black, white. The number counts from the epoch modulo 2^24,
 * which repeats after 6.5 days, so that fields of different participants and outputs can be compared.
 */
export const TIMECODE_FIELDS = 32
const NUMBER_BITS = 24
const CHECK_BITS = 4
export const TIMECODE_ROUND = 2 ** NUMBER_BITS

/** Returns the fields of a frame, true for white. */
export function writeTimecode(frame: number): boolean[] {
  const number = frame % TIMECODE_ROUND
  return [true, false, ...bitsOf(number, NUMBER_BITS), ...bitsOf(checkOf(number), CHECK_BITS), false, true]
}

/** Returns the frame's number modulo 2^24, or undefined for fields that are not a timecode. */
export function readTimecode(fields: readonly boolean[]): number | undefined {
  if (fields.length !== TIMECODE_FIELDS) return undefined
  const number = numberOf(fields.slice(2, 2 + NUMBER_BITS))
  return writeTimecode(number).every((field, index) => field === fields[index]) ? number : undefined
}

const bitsOf = (number: number, bits: number) =>
  Array.from({ length: bits }, (_, index) => Math.floor(number / 2 ** (bits - 1 - index)) % 2 === 1)

const numberOf = (bits: readonly boolean[]) => bits.reduce((number, bit) => number * 2 + Number(bit), 0)

/** Returns a weighted sum of the number's six half-bytes. The weights are odd, so that one misread field changes it. */
function checkOf(number: number): number {
  let sum = 5
  for (let place = 0; place < NUMBER_BITS / 4; place++) sum += (2 * place + 1) * (Math.floor(number / 16 ** place) % 16)
  return sum % 16
}
