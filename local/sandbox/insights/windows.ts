import { limits } from '../../../lib/platform/contract/limits.ts'
import { InsightsRefusal } from '../http/insights-refusal.ts'

/** A period from `start` to before `end`, in milliseconds since the epoch. */
export interface Period {
  readonly start: number
  readonly end: number
}

export const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Time between two collections of usage, in ms. It makes the latency vary between 36 and 48 h. */
const COLLECTION_INTERVAL = (limits.usageLatencyMax.value - limits.usageLatencyMin.value) * HOUR

/** Returns the period with usage data at an instant: from the first of 90 days to the end of the last collection. */
export const usageWindow = (now: number): Period => ({
  start: startOfDay(now) - limits.usageRetention.value * DAY,
  end: Math.floor(now / COLLECTION_INTERVAL) * COLLECTION_INTERVAL - limits.usageLatencyMin.value * HOUR,
})

/** Returns the period with data on sessions and their quality at an instant. */
export const qualityWindow = (now: number): Period => ({
  start: now - limits.qualityRetention.value * DAY,
  end: now - limits.qualityLatency.value * MINUTE,
})

export const startOfDay = (time: number) => Math.floor(time / DAY) * DAY

/**
 * Returns the requested range, cut at the beginning of the window.
 * @throws {@link InsightsRefusal} 1013 without a start, 1002 for a range that is empty or begins in the future
 */
export function readPeriod(given: GivenRange, window: Period, now: number): Period {
  if (given.start === undefined || given.start === null) throw new InsightsRefusal(1013, 'start')
  const end = given.end ?? now
  if (given.start > now) throw new InsightsRefusal(1002, 'start is in the future')
  if (end <= given.start) throw new InsightsRefusal(1002, 'end must be after start')
  return { start: Math.max(given.start, window.start), end }
}

export interface GivenRange {
  readonly start?: number | null
  readonly end?: number | null
}

/** Returns the part of a span within a range; undefined when they do not overlap. */
export function within(
  { start, end = Number.POSITIVE_INFINITY }: { start: number; end?: number | undefined },
  range: Period,
): Period | undefined {
  const first = Math.max(start, range.start)
  const last = Math.min(end, range.end)
  return first < last ? { start: first, end: last } : undefined
}
