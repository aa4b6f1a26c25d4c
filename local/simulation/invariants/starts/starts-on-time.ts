import { keys } from '../../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

/** Seconds after its time by which a schedule starts a show. */
const PRECISION = 60
/** Seconds over which shows of one time are spread at most, and the share of their audience wait (docs/scale.md). */
const SPREAD = 60
const SHARE = 1 / 15
/** A cron expression with one minute and one hour. */
const DAILY = /^(\d+) (\d+) /
const HALF_HOUR = 1_800_000
const DAY = 86_400_000
/** Functions that schedule and start a show. */
const SCHEDULING = /^(Api|SweepShows)$/
const STARTING = /^StartShow$/
/** Faults beside calls that delay a start. */
const DELAYING: ReadonlySet<string> = new Set(['interrupted post', 'invoked twice'])

/**
 * Checks that a scheduled show starts at its local time, also when clocks change. A fault of its schedule or its start may delay
 * it, and nothing may advance it. Local times are computed with Intl alone.
 */
export function startsOnTime({
  shows,
  objects,
  trace,
  failedCalls,
}: Pick<Evidence, 'shows' | 'objects' | 'trace' | 'failedCalls'>): string[] {
  return shows.flatMap((show) => {
    const { showId, startedAt, request } = show
    const due = dueOf(show, objects)
    if (due === undefined) return []
    const name = `the show ${showId.slice(0, 12)}`
    if (typeof due === 'string') return [`${name} ${due}`]
    if (startedAt < due) return [`${name} started ${(due - startedAt) / 1000} s before its time`]
    const accepted = Date.parse(request?.acceptedAt ?? '')
    const isExcused =
      accepted > due ||
      trace.some(({ fault = '', at }) => DELAYING.has(fault) && at <= startedAt) ||
      faultsOf(failedCalls, SCHEDULING).some(({ at }) => at <= startedAt) ||
      faultsOf(failedCalls, STARTING).some(({ at }) => at >= due && at <= startedAt)
    const spread = isOnce(show) ? Math.min(SPREAD, Math.floor((request?.show.audienceWait ?? 0) * SHARE)) : 0
    if (startedAt - due <= (PRECISION + spread) * 1000 || isExcused) return []
    return [`${name} started ${(startedAt - due) / 1000} s after its time`]
  })
}

/** Returns true for a show with a single start. Those of a series are not spread. */
const isOnce = ({ request }: ShowEvidence) => request?.show.start !== undefined && 'at' in request.show.start

/** Returns the time at which a show is due, or what is wrong with it; undefined for a show without a schedule. */
function dueOf({ startedAt, request }: ShowEvidence, objects: Evidence['objects']): number | string | undefined {
  const text = objects.get(keys.request(request?.scheduleId ?? ''))?.text
  const series = text === undefined ? undefined : (JSON.parse(text) as ShowRequest)
  const start = (series ?? request)?.show.start
  if (!start) return undefined
  if ('at' in start) return firstInstantOf(start.at, start.zone)
  const [, minute, hour] = DAILY.exec(start.cron) ?? []
  if (minute === undefined || hour === undefined) return undefined
  const clock = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  // The latest time before its start that has the minute and hour of the expression.
  for (let time = startedAt - (startedAt % 60_000); time > startedAt - DAY; time -= 60_000)
    if (localTimeOf(time, start.zone).slice(11, 16) === clock) return time
  return `is due at ${clock}, which its day has not`
}

/** Returns the first instant that has a local time, in milliseconds since the epoch. */
function firstInstantOf(local: string, zone: string): number | undefined {
  const guess = Date.parse(`${local}Z`)
  const wanted = new Date(guess).toISOString().slice(0, 19)
  for (let time = guess - DAY; time <= guess + DAY; time += HALF_HOUR)
    for (const quarter of [time, time + HALF_HOUR / 2]) if (localTimeOf(quarter, zone) === wanted) return quarter
  return undefined
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a local time such as `2030-03-31T02:30:00`. */
function localTimeOf(time: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  return format.format(time).replace(' ', 'T')
}
