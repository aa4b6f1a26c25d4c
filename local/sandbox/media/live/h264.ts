import type { Size } from '../composing/picture.ts'
import { spsSize } from './sps.ts'

/** Types of NAL units (H.264, table 7-1) and of RTP payloads (RFC 6184, table 1). */
const IDR = 5
const SPS = 7
const STAP_A = 24
const FU_A = 28
const START_CODE = [0, 0, 0, 1]

/** Returns the bytes that an RTP payload adds to a frame in Annex B form; the first fragment of a unit brings its start code. */
export function annexBPartOf(payload: Uint8Array): Uint8Array {
  const type = typeOf(payload)
  if (type === STAP_A) return joined(unitsOf(payload).flatMap((unit) => [START_CODE, unit]))
  if (type !== FU_A) return joined([START_CODE, payload])
  const [indicator = 0, header = 0] = payload
  const isFirst = (header & 0x80) !== 0
  const body = payload.subarray(2)
  return isFirst ? joined([START_CODE, [(indicator & 0xe0) | (header & 0x1f)], body]) : body
}

/** Returns true for a payload that carries the start of a picture that can be decoded alone. */
export function hasIdr(payload: Uint8Array): boolean {
  if (typeOf(payload) === FU_A) return ((payload[1] ?? 0) & 0x9f) === (0x80 | IDR)
  return unitsOf(payload).some((unit) => typeOf(unit) === IDR)
}

/** Returns the size of the pictures that follow, when the payload carries their parameters. */
export function h264Size(payload: Uint8Array): Size | undefined {
  const sps = unitsOf(payload).find((unit) => typeOf(unit) === SPS)
  return sps && spsSize(sps)
}

const typeOf = (unit: Uint8Array) => (unit[0] ?? 0) & 0x1f

/** The whole NAL units of a payload; none of a fragment. */
function unitsOf(payload: Uint8Array): Uint8Array[] {
  const type = typeOf(payload)
  if (type === FU_A) return []
  if (type !== STAP_A) return [payload]
  const units: Uint8Array[] = []
  for (let start = 1; start + 2 < payload.length; ) {
    const length = ((payload[start] as number) << 8) | (payload[start + 1] as number)
    units.push(payload.subarray(start + 2, start + 2 + length))
    start += 2 + length
  }
  return units
}

const joined = (parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : Uint8Array.from(part))))
