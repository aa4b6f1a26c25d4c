import { randomBytes } from 'node:crypto'

/** The system is asked for so many at once: 16 bytes cost as much, and every answer needs them for its id. */
const DRAWN = 8_192

let drawn = Buffer.alloc(0)

/** Random bytes from the system's secure source, none of which is given out twice. */
export function secureBytes(count: number): Buffer {
  if (count > DRAWN) return randomBytes(count)
  if (count > drawn.byteLength) drawn = randomBytes(DRAWN)
  const given = drawn.subarray(0, count)
  drawn = drawn.subarray(count)
  return given
}
