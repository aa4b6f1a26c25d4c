import type { WatchedShow } from '../../../lib/api/watched-show.ts'

const SECOND = 1_000

/** Returns the milliseconds to the next poll; undefined if the show or series is over and its recordings are published. */
export function nextPoll(show: WatchedShow | undefined, now: number): number | undefined {
  if (!show || show.phase === 'live') return 5 * SECOND
  const publishing = show.isPublishing ? 10 * SECOND : undefined
  if (show.phase === 'after') return publishing
  const left = show.startsAt === null ? 0 : Date.parse(show.startsAt) - now
  return Math.min(publishing ?? 60 * SECOND, Math.max(5 * SECOND, left / 4))
}
