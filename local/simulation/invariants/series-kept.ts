import { isStartOf } from '../../../lib/show/document/series.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../lib/show/state/request.ts'
import type { Evidence } from './evidence.ts'

/** Matches the id of a show that a series has started, such as `…-20300101t1900`. */
const OCCURRENCE = /^(.+)-(\d{4})(\d{2})(\d{2})t(\d{2})(\d{2})$/

/**
 * Checks that no series starts a show on an excepted date, after its last day, or more often than ordered, and that what was
 * unscheduled on request has a result and no schedule.
 */
export function seriesKept({
  shows,
  objects,
  apiRequests,
  schedules,
}: Pick<Evidence, 'shows' | 'objects' | 'apiRequests' | 'schedules'>): string[] {
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
    ...problemsOfSeries({ shows, objects }),
  ]
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
