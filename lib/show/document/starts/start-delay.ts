/** Seconds over which starts at the same time are spread at most, and the share of a show's audience wait. */
const MAX_SPREAD = 60
const SHARE = 1 / 15

/**
 * Returns the seconds by which a show starts after the time of its document, so that many shows of one time do not start at
 * once. It follows from the id, and is 0 for a show that waits less than 15 s for its audience.
 * @param audienceWait seconds
 */
export const startDelay = (showId: string, audienceWait: number): number =>
  Math.floor(placeOf(showId) * Math.min(MAX_SPREAD, Math.floor(audienceWait * SHARE)))

/** Returns a number from 0 to 1 that is spread evenly over ids, also those that count up: FNV-1a, mixed as in MurmurHash3. */
export function placeOf(id: string): number {
  let hash = 0x811c9dc5
  for (const letter of id) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
