import { createHash } from 'node:crypto'

/** A stream of numbers that a seed repeats exactly. */
export type Random = ReturnType<typeof createRandom>

/**
 * Creates one of a seed’s streams. Each purpose has its own, so that an additional draw for one changes no other. The
 * generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, of which 32 count the draws.
 */
export function createRandom(seed: number, purpose: string) {
  const digest = createHash('sha256').update(`${seed}/${purpose}`).digest()
  let [a, b, c, count] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), 1]
  const word = () => {
    const drawn = (a + b + count) | 0
    count = (count + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + drawn) | 0
    return drawn >>> 0
  }
  /** Returns a number in [0, 1), as `Math.random`. */
  const next = () => word() / 2 ** 32
  const bytes = (count: number) => {
    const drawn = Buffer.alloc(count)
    for (let at = 0; at < count; at++) drawn[at] = word() & 0xff
    return drawn
  }
  return {
    next,
    /** Returns a whole number from 0 to `end`, exclusive. */
    below: (end: number) => Math.floor(next() * end),
    bytes,
    /** Returns lower-case hexadecimal digits. */
    hex(digits: number) {
      let drawn = ''
      while (drawn.length < digits) drawn += BYTES[word() & 0xff] // faster than a buffer: every id is drawn here
      return drawn.slice(0, digits)
    },
  }
}

/** Two hexadecimal digits for each byte. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
