/** Samples of a packet of 20 ms, at 8 kHz. */
export const SAMPLES = 160
/** Samples of half a period of each sound: 2000, 1333, 800 and 500 Hz. */
export const HALF_PERIODS = [2, 3, 5, 8] as const

/** Sign of a sample in µ-law, set if it is positive, and a bound of the rest: 0 is the loudest sample, 0x7f is silence. */
const SIGN = 0x80
const LOUD = 0x40
/** Loudness of a sound. */
const MADE = 0x10
/** Changes of the sign by which a sound is found: fewer are in the end of a packet. */
const MIN_CHANGES = 6

export const silentPayload = () => Buffer.alloc(SAMPLES, 0xff)

/** Creates the payload of a sound, a square wave. */
export const soundPayload = (halfPeriod: number) =>
  Buffer.from(Array.from({ length: SAMPLES }, (_, index) => (Math.floor(index / halfPeriod) % 2 ? MADE : SIGN | MADE)))

const isLoudByte = (byte: number) => (byte & ~SIGN) < LOUD

export const isLoud = (payload: Uint8Array) => payload.some(isLoudByte)

/** Returns the index of the sound that a payload contains; undefined if there is too little of it. */
export function findSound(payload: Uint8Array): number | undefined {
  const loud = [...payload].filter(isLoudByte)
  const changes = loud.flatMap((byte, index) =>
    index > 0 && (byte ^ (loud[index - 1] as number)) & SIGN ? [index] : [],
  )
  if (changes.length < MIN_CHANGES) return undefined
  const halfPeriod = ((changes.at(-1) as number) - (changes[0] as number)) / (changes.length - 1)
  const distances = HALF_PERIODS.map((own) => Math.abs(Math.log(own / halfPeriod)))
  return distances.indexOf(Math.min(...distances))
}
