import { z } from 'zod'

/** A time in a show or a recording: seconds from its start, or a time on the clock (RFC 3339). */
export const moment = z.union([
  z.number().min(0),
  z.iso.datetime({ offset: true, error: 'must be seconds, or a time such as 2026-12-01T19:00:00Z' }),
])
export type Moment = z.output<typeof moment>

/** Returns the seconds from a start to a moment. @param start milliseconds since the epoch */
export const secondsOf = (one: Moment, start: number): number =>
  typeof one === 'number' ? one : (Date.parse(one) - start) / 1000
