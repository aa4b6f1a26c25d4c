import { DAY, type Period, startOfDay } from './windows.ts'

export type Interval = 'DAILY' | 'WEEKLY' | 'MONTHLY'

/** AUTO selects days for ranges up to the first number of days, weeks up to the second, then months. */
const DAILY_UP_TO = 31
const WEEKLY_UP_TO = 62

/** Returns the interval that AUTO selects for a range. */
export function chooseReportInterval({ start, end }: Period): Interval {
  const days = (end - start) / DAY
  return days <= DAILY_UP_TO ? 'DAILY' : days <= WEEKLY_UP_TO ? 'WEEKLY' : 'MONTHLY'
}

/** Cuts a range at midnights, Mondays or firsts of the month, all in UTC; the first and the last may be shorter. */
export function intervalsOf(range: Period, interval: Interval): Period[] {
  const intervals: Period[] = []
  for (let { start } = range; start < range.end; ) {
    const end = Math.min(nextBoundary(start, interval), range.end)
    intervals.push({ start, end })
    start = end
  }
  return intervals
}

function nextBoundary(time: number, interval: Interval): number {
  const day = startOfDay(time)
  if (interval === 'DAILY') return day + DAY
  const date = new Date(day)
  if (interval === 'MONTHLY') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  const daysSinceMonday = (date.getUTCDay() + 6) % 7
  return day + (7 - daysSinceMonday) * DAY
}
