import { lastYearOf } from '../fields/cron.ts'
import type { Problem } from '../problems.ts'
import { endOfSeries } from '../series.ts'
import { instantOf } from './local-times.ts'
import type { StartOrder } from './start.ts'

const DAY = 86_400_000

/** Returns the time of a single start that has passed. @param now milliseconds since the epoch */
export function passedStart(start: StartOrder | undefined, now: number): Date | undefined {
  const time = start && 'at' in start ? instantOf(start.at, start.zone) : undefined
  return time !== undefined && time <= now ? new Date(time) : undefined
}

/** Returns why a show cannot start any more; of a recurring start only the year is compared. @param now in ms since the epoch */
export function problemsOfPast(start: StartOrder | undefined, now: number): Problem[] {
  const time = passedStart(start, now)
  if (time) return [{ path: 'start.at', message: `has passed: it was ${time.toISOString()}` }]
  if (start && 'cron' in start && (endOfSeries(start) ?? now + 1) <= now)
    return [{ path: 'start.until', message: `has passed: its last day was ${start.until}` }]
  const year = start && 'cron' in start ? lastYearOf(start.cron) : Number.POSITIVE_INFINITY
  // With a margin of a day, because some zones are still in the old year.
  if (year >= new Date(now - DAY).getUTCFullYear()) return []
  return [{ path: 'start.cron', message: `has passed: its last year was ${year}` }]
}

/** Returns the time of a single start, in milliseconds since the epoch; undefined for a recurring one. */
export const startInstant = (start: StartOrder): number | undefined =>
  'at' in start ? instantOf(start.at, start.zone) : undefined
