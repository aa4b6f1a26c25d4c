import { randomBytes } from 'node:crypto'

/** Bytes per call of the system: 16 bytes cost as much, and every answer needs 16 for its id. */
const DRAWN = 8_192

let drawn = Buffer.alloc(0)

/** Returns random bytes from the system's secure source; none is returned twice. */
export function secureBytes(count: number): Buffer {
  if (count > DRAWN) return randomBytes(count)
  if (count > drawn.byteLength) drawn = randomBytes(DRAWN)
  const given = drawn.subarray(0, count)
  drawn = drawn.subarray(count)
  return given
}
