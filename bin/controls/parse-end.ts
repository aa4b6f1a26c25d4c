import { InvalidArgumentError } from 'commander'

/** A new end of a show: so much later, or at a time. */
export type NewEnd = { readonly seconds: number } | { readonly at: number }

const DAY_MS = 86_400_000
const SECONDS = { d: 86_400, h: 3_600, m: 60, min: 60, s: 1 } as const

const PROBLEM =
  'It must be a duration such as +15m, +1h30m or +90s, a local time such as 19:30, or a time such as 2026-12-01T19:30:00Z.'

/**
 * Parses a duration, a local time of the next 24 hours, or a time with its date.
 * @throws InvalidArgumentError for another text
 */
export function parseEnd(text: string, now: number): NewEnd {
  const seconds = secondsOf(text)
  if (seconds !== undefined) return { seconds }
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hour !== undefined) {
    const time = new Date(now).setHours(Number(hour), Number(minute), 0, 0)
    return { at: time > now ? time : time + DAY_MS }
  }
  const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError(PROBLEM)
  return { at }
}

/**
 * Parses a duration such as `90m`, in milliseconds.
 * @throws InvalidArgumentError for another text
 */
export function durationMs(text: string): number {
  const seconds = secondsOf(text)
  if (seconds === undefined) throw new InvalidArgumentError('It must be a duration such as 90m or 1h30m.')
  return seconds * 1000
}

/** Returns the seconds of `+1h30m`, `15m` or `+90s`; undefined for another text. */
function secondsOf(text: string): number | undefined {
  const [, parts = ''] = /^\+?((?:\d{1,6}(?:d|h|min|m|s))+)$/.exec(text) ?? []
  const seconds = [...parts.matchAll(/(\d+)(min|[dhms])/g)].reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS],
    0,
  )
  return seconds > 0 ? seconds : undefined
}
