import { limits } from '../../../lib/platform/contract/limits.ts'
import { InsightsRefusal } from '../http/insights-refusal.ts'

/** A stretch of time, `start` included and `end` not; milliseconds since the epoch. */
export interface Range {
  readonly start: number
  readonly end: number
}

export const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Usage is gathered by runs this far apart; that is what makes its latency 36 to 48 h and not one of the two. */
const RUN = (limits.usageLatencyMax.value - limits.usageLatencyMin.value) * HOUR

/** What usage can be asked about at an instant: from the first of 90 days to what the last run had reached. */
export const usageWindow = (now: number): Range => ({
  start: startOfDay(now) - limits.usageRetention.value * DAY,
  end: Math.floor(now / RUN) * RUN - limits.usageLatencyMin.value * HOUR,
})

/** What sessions and their quality can be asked about at an instant. */
export const qualityWindow = (now: number): Range => ({
  start: now - limits.qualityRetention.value * DAY,
  end: now - limits.qualityLatency.value * MINUTE,
})

export const startOfDay = (time: number) => Math.floor(time / DAY) * DAY

/**
 * Reads the range that arguments ask for, from the earliest there is.
 * @throws InsightsRefusal 1013 without a start, 1002 when the range is empty or begins in the future
 */
export function readRange(given: GivenRange, window: Range, now: number): Range {
  if (given.start === undefined || given.start === null) throw new InsightsRefusal(1013, 'start')
  const end = given.end ?? now
  if (given.start > now) throw new InsightsRefusal(1002, 'start lies in the future')
  if (end <= given.start) throw new InsightsRefusal(1002, 'end must be after start')
  return { start: Math.max(given.start, window.start), end }
}

export interface GivenRange {
  readonly start?: number | null
  readonly end?: number | null
}

/** The part of a span within a range; undefined when there is none. */
export function within(
  { start, end = Number.POSITIVE_INFINITY }: { start: number; end?: number | undefined },
  range: Range,
): Range | undefined {
  const first = Math.max(start, range.start)
  const last = Math.min(end, range.end)
  return first < last ? { start: first, end: last } : undefined
}
