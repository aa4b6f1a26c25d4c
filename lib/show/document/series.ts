import { instantOf, localDateOf } from './starts/local-times.ts'
import type { StartOrder } from './starts/start.ts'

type Series = Extract<StartOrder, { readonly cron: string }>

/** Returns the end of the last day of a series, in milliseconds since the epoch; undefined if it has none. */
export function endOfSeries({ until, zone }: Series): number | undefined {
  if (until === undefined) return undefined
  const lastSecond = `${until}T23:59:59`
  return (instantOf(lastSecond, zone) ?? Date.parse(`${lastSecond}Z`)) + 1000
}

/** Returns false for a start that the document excludes: on an excepted date, or after the last day. @param time in ms since the epoch */
export function isStartOf(series: Series, time: number): boolean {
  const end = endOfSeries(series)
  return !series.except?.includes(localDateOf(time, series.zone)) && (end === undefined || time < end)
}
