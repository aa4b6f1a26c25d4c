import { createHash } from 'node:crypto'

/** A stream of numbers that a seed repeats exactly. */
export interface Random {
  /** Returns a number in [0, 1), as `Math.random`. */
  next(): number
  /** Returns a whole number from 0 to `end`, exclusive. */
  below(end: number): number
  bytes(count: number): Buffer
  /** Returns lower-case hexadecimal digits. */
  hex(digits: number): string
}

/**
 * Creates one of a seed’s streams. Each purpose has its own, so that an additional draw for one changes no other. The
 * generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, of which 32 count the draws.
 */
export function createRandom(seed: number, purpose: string): Random {
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
  const next = () => word() / 2 ** 32
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => word() & 0xff))
  return {
    next,
    below: (end) => Math.floor(next() * end),
    bytes,
    hex: (digits) =>
      bytes(Math.ceil(digits / 2))
        .toString('hex')
        .slice(0, digits),
  }
}
