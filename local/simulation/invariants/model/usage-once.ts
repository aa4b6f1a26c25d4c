import { keys } from '../../../../lib/show/state/keys.ts'
import type { Evidence } from '../evidence.ts'

/** Difference of minutes that rounding explains. */
const ROUNDING = 0.1
/** Seconds after a show by which its usage is recorded: Insights report it within 48 hours. */
const WITHIN = 3 * 86_400
/** Seconds before the end of the simulation in which a fault may delay a record. */
const EXCUSED = 14_400

/** Matches writes of reports of quality. */
const QUALITY = /^s3 PutObject .*\/quality\.json$/

/**
 * Checks that recorded usage is what Insights report for its time, and that each ended show has a record. Its quality is reported
 * once.
 */
export function usageOnce({
  usage,
  hasInsights,
  shows,
  objects,
  trace,
  failedCalls,
  now,
}: Pick<Evidence, 'usage' | 'hasInsights' | 'shows' | 'objects' | 'trace' | 'failedCalls' | 'now'>): string[] {
  const reports = trace.flatMap(({ call }) =>
    call && QUALITY.test(call.name) && call.status < 300 ? (call.path ?? '') : [],
  )
  const repeated = failedCalls.length > 0 ? [] : [...new Set(reports.filter((path, at) => reports.indexOf(path) < at))]
  const isExcused = trace.some(({ fault, at }) => fault !== undefined && at >= now - EXCUSED * 1000)
  const missing = shows.filter(({ showId, state }) => {
    const { sessionId, startedAt, endedAt } = state ?? {}
    const isDue = sessionId && startedAt && endedAt && now - Date.parse(endedAt) > WITHIN * 1000
    return isDue && hasInsights && !isExcused && !objects.has(keys.usage(showId))
  })
  return [
    ...usage.flatMap(({ key, recorded, reported }) =>
      Object.entries(recorded).flatMap(([kind, minutes]) => {
        const other = reported[kind] ?? null
        if (Math.abs((minutes ?? 0) - (other ?? 0)) <= ROUNDING) return []
        return [`${key} has ${minutes} ${kind}, where Insights report ${other}`]
      }),
    ),
    ...usage
      .filter(({ meetings }) => new Set(meetings).size < meetings.length)
      .map(({ key }) => `${key} lists a meeting twice`),
    ...repeated.map((path) => `the report ${path} was written again`),
    ...missing.map(({ showId }) => `the usage of the show ${showId.slice(0, 12)} is not recorded`),
  ]
}
