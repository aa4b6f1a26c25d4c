import { endOfSeries, isStartOf } from '../../../lib/show/document/series.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../lib/show/state/request.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { readExpression } from '../../cloud/schedules/expression.ts'
import { ORDERED } from '../faults/fault-responses.ts'
import type { Evidence } from './evidence.ts'
import { faultsOf } from './faults-of.ts'
import { documentIn, requestIn } from './visits/recorded-documents.ts'

/** Matches the id of a show that a series has started, such as `…-20300101t1900`. */
const OCCURRENCE = /^(.+)-(\d{4})(\d{2})(\d{2})t(\d{2})(\d{2})$/

/** Seconds after the last start of a series by which the sweep has ended it: if few of its calls fail, and in any case. */
const ENDED_AT_ONCE = 3_600
const ENDED = 4 * 3_600
/** Seconds after the last day of a series by which the sweep has ended it. */
const ENDED_BY_DAY = 2 * 86_400
/** Seconds after which the sweep has made a schedule that a request could not make. */
const MADE = 3_600
/** Milliseconds in which a further start is searched. */
const YEAR = 366 * 86_400_000
/** Milliseconds for which a request to unschedule may take effect after its answer. */
const ANSWERED = 1_000

/** Seconds after its time between which the sweep starts a show of a series that its schedule did not start. */
const SWEPT = { from: 900, to: 3_600 }
/** The function that sweeps. */
const SWEEPING = /^SweepShows$/
/** Faults of the sweep within an hour that its runs outlast. */
const FEW = 4

type Scheduled = Pick<Evidence, 'shows' | 'objects' | 'apiRequests' | 'schedules' | 'now' | 'failedCalls'>

/**
 * Checks that a series starts a show each time that it is due, unless faults last, and none on an excepted date, after its last
 * day, or more often than ordered. It has a schedule until its last start, and ends after it. What was unscheduled on request, or
 * has ended, has a result and no schedule. Only a show that has started is not unscheduled.
 */
export function seriesKept(evidence: Scheduled): string[] {
  const { shows, objects, apiRequests, schedules } = evidence
  const unscheduled = apiRequests.flatMap(({ method, path, status }) => {
    const [, showId] = /^\/shows\/([^/]+)$/.exec(path) ?? []
    return method === 'DELETE' && status === 200 && showId !== undefined ? [showId] : []
  })
  return [
    ...unscheduled
      .filter((showId) => !objects.has(keys.result(showId)))
      .map((showId) => `the show ${showId.slice(0, 12)} was unscheduled, and has no result`),
    ...unscheduled
      .filter((showId) => schedules.some((name) => name.includes(showId)))
      .map((showId) => `the show ${showId.slice(0, 12)} was unscheduled, and its schedule exists`),
    ...refusedInVain(evidence),
    ...endlessSeries(evidence),
    ...missedStarts(evidence),
    ...earlyStarts(evidence),
    ...withoutSchedules(evidence),
    ...problemsOfSeries({ shows, objects }),
  ]
}

/** Finds requests to unschedule that were refused, although the show had not started. */
function refusedInVain({ objects, apiRequests }: Pick<Evidence, 'objects' | 'apiRequests'>): string[] {
  return apiRequests.flatMap(({ method, path, status, answer, answeredAt }) => {
    const [, showId] = /^\/shows\/([^/]+)$/.exec(path) ?? []
    if (method !== 'DELETE' || status !== 409 || showId === undefined || answer.includes(ORDERED)) return []
    const { startedAt, endedAt } = documentIn<ShowState>(objects, keys.state(showId)) ?? {}
    const isRefused = [startedAt, endedAt].some((at) => Date.parse(at ?? '') <= answeredAt + ANSWERED)
    return isRefused ? [] : [`the show ${showId.slice(0, 12)} was not unscheduled, although it had not started`]
  })
}

/** Finds series without a further start that have not ended. */
function endlessSeries({ objects, schedules, now, failedCalls }: Omit<Scheduled, 'shows' | 'apiRequests'>): string[] {
  const faults = faultsOf(failedCalls, SWEEPING)
  return seriesIn(objects).flatMap(({ showId, start, starts }) => {
    const { count = Number.POSITIVE_INFINITY } = start
    const last = starts.length >= count ? Math.max(...starts.map((at) => Date.parse(at))) : Number.POSITIVE_INFINITY
    const wasCalm = faults.filter(({ at }) => at >= last).length <= FEW
    const isOver =
      now > last + (wasCalm ? ENDED_AT_ONCE : ENDED) * 1000 ||
      now > (endOfSeries(start) ?? Number.POSITIVE_INFINITY) + ENDED_BY_DAY * 1000
    const hasEnded = objects.has(keys.result(showId)) && !schedules.some((name) => name.includes(showId))
    return isOver && !hasEnded ? [`the series ${showId.slice(0, 12)} is over, and has not ended`] : []
  })
}

/** Finds series that wait for a further start, and have no schedule. */
function withoutSchedules({ objects, schedules, now }: Pick<Evidence, 'objects' | 'schedules' | 'now'>): string[] {
  return seriesIn(objects).flatMap(({ showId, start, starts, since, status }) => {
    const isOver = starts.length >= (start.count ?? Number.POSITIVE_INFINITY)
    if (status !== 'scheduled' || isOver || now <= since + MADE * 1000) return []
    const [next] = startsBetween(start, { from: now, to: now + YEAR })
    return next === undefined || schedules.some((name) => name.includes(showId))
      ? []
      : [`the series ${showId.slice(0, 12)} waits for its next start, and has no schedule`]
  })
}

/** Finds starts that were due while a series was scheduled, and have no show. Series start once an hour at most here. */
function missedStarts({ objects, failedCalls, now }: Pick<Evidence, 'objects' | 'failedCalls' | 'now'>): string[] {
  const faults = faultsOf(failedCalls, SWEEPING)
  return seriesIn(objects).flatMap(({ showId, start, starts, since, endedAt = now }) => {
    const before = starts.filter((at) => Date.parse(at) <= since).length // of the document before an edit
    const due = startsBetween(start, { from: since, to: Math.min(now, endedAt) - SWEPT.to * 1000 })
    return due
      .slice(0, start.count && Math.max(0, start.count - before))
      .filter((time) => !objects.has(keys.request(`${showId}-${minuteOf(time)}`)))
      .filter((time) => {
        const [from, to] = [time + SWEPT.from * 1000, time + SWEPT.to * 1000]
        return faults.filter(({ at }) => at >= from && at <= to).length <= FEW
      })
      .map((time) => `the series ${showId.slice(0, 12)} did not start at ${new Date(time).toISOString()}`)
  })
}

/** Finds shows that a series has started for a time before it was posted, or before the edit that preceded their start. */
function earlyStarts({ objects, shows }: Pick<Evidence, 'objects' | 'shows'>): string[] {
  return shows.flatMap(({ showId, request, startedAt }) => {
    const [, series = '', year, month, day, hour, minute] = OCCURRENCE.exec(showId) ?? []
    const posted = documentIn<ShowRequest>(objects, keys.request(series))
    if (!posted || request?.scheduleId !== series) return []
    const editedAt = Date.parse(documentIn<ShowState>(objects, keys.state(series))?.editedAt ?? '')
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
    const since = editedAt <= startedAt ? editedAt : Date.parse(posted.acceptedAt)
    return time < since
      ? [`the series ${series.slice(0, 12)} started at ${new Date(time).toISOString()}, before it was requested`]
      : []
  })
}

/** Returns a time as ids of shows of a series have it, such as `20300101t1900`. */
const minuteOf = (time: number) => new Date(time).toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()

type Series = Extract<NonNullable<ShowRequest['show']['start']>, { readonly cron: string }>

/** Returns the series in the bucket with their last documents; `since` is when each was requested or edited. */
const seriesIn = (objects: Evidence['objects']) =>
  [...objects.keys()].flatMap((key) => {
    const [, showId] = /^shows\/([^/]+)\/request\.json$/.exec(key) ?? []
    const { acceptedAt, show } = (showId === undefined ? undefined : requestIn(objects, showId)) ?? {}
    if (showId === undefined || acceptedAt === undefined || !show?.start || !('cron' in show.start)) return []
    const {
      status,
      starts = [],
      editedAt = acceptedAt,
      endedAt,
    } = documentIn<ShowState>(objects, keys.state(showId)) ?? {}
    const ended = endedAt === undefined ? {} : { endedAt: Date.parse(endedAt) }
    return [{ showId, start: show.start, starts, since: Date.parse(editedAt), status, ...ended }]
  })

/** Returns the starts of a series after a time and before another one, by the schedules of the local cloud. */
function startsBetween(series: Series, { from, to }: { readonly from: number; readonly to: number }): number[] {
  const times = readExpression(`cron(${series.cron})`, { ...(series.zone && { zone: series.zone }), anchor: 0 })
  const starts: number[] = []
  for (let time = times.after(from); time !== undefined && time < to; time = times.after(time)) starts.push(time)
  return starts.filter((time) => isStartOf(series, time))
}

function problemsOfSeries({ shows, objects }: Pick<Evidence, 'shows' | 'objects'>): string[] {
  const starts = shows.flatMap(({ showId }) => {
    const [, series, year, month, day, hour, minute] = OCCURRENCE.exec(showId) ?? []
    return series ? [{ series, time: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) }] : []
  })
  return [...Map.groupBy(starts, ({ series }) => series)].flatMap(([series, own]) => {
    const text = objects.get(keys.request(series))?.text
    const { start } = text === undefined ? {} : (JSON.parse(text) as ShowRequest).show
    if (!start || !('cron' in start)) return []
    const { count = Number.POSITIVE_INFINITY } = start
    return [
      ...own
        .filter(({ time }) => !isStartOf(start, time))
        .map(({ time }) => `the series ${series.slice(0, 12)} started at ${new Date(time).toISOString()}`),
      ...(own.length > count ? [`the series ${series.slice(0, 12)} started ${own.length} times, not ${count}`] : []),
    ]
  })
}
