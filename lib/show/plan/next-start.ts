import { timesOf } from '../document/fields/cron.ts'
import { endOfSeries, isStartOf } from '../document/series.ts'
import { instantOf, shownTimeOf } from '../document/starts/local-times.ts'
import type { StartOrder } from '../document/starts/start.ts'

/**
 * Returns the first start after a time, in milliseconds since the epoch; undefined if there is none. A local time that clocks are
 * set forward over is left out, and one that occurs twice is the first of both, as in EventBridge Scheduler.
 * Excepted dates and times after the last day are left out as well; a `count` is not considered.
 * @param after milliseconds since the epoch
 */
export function nextStart(start: StartOrder, after: number): number | undefined {
  if ('at' in start) {
    const time = instantOf(start.at, start.zone)
    return time !== undefined && time > after ? time : undefined
  }
  const end = endOfSeries(start) ?? Number.POSITIVE_INFINITY
  const now = shownTimeOf(after, start.zone)
  for (const local of localTimes(start.cron, now)) {
    const time = instantOf(local, start.zone)
    if (time !== undefined && time >= end) return undefined
    if (time !== undefined && time > after && isStartOf(start, time)) return time
  }
  return undefined
}

/** Returns the last start of a series after a time and until another one, in milliseconds since the epoch; undefined if there is none. */
export function latestStart(start: StartOrder, after: number, until: number): number | undefined {
  const time = nextStart(start, after)
  return time === undefined || time > until ? undefined : (latestStart(start, time, until) ?? time)
}

/** Generates the local times of an expression that are later than another, in order. */
function* localTimes(cron: string, after: string): Generator<string> {
  const { years, months, hours, minutes, hasDay } = timesOf(cron)
  for (const year of years)
    for (const month of months) {
      if (`${year}-${two(month)}` < after.slice(0, 7)) continue
      for (let day = 1; day <= new Date(Date.UTC(year, month, 0)).getUTCDate(); day++) {
        const date = `${year}-${two(month)}-${two(day)}`
        if (date < after.slice(0, 10) || !hasDay(year, month, day)) continue
        for (const hour of hours)
          for (const minute of minutes) {
            const local = `${date}T${two(hour)}:${two(minute)}`
            if (local > after) yield local
          }
      }
    }
}

const two = (value: number) => String(value).padStart(2, '0')
