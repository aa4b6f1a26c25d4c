import { createHash } from 'node:crypto'

/** Ids have at most 64 characters; a dash and a time such as `20261201t1900` take 14. */
const MAX_SCHEDULE_ID_LENGTH = 64 - 14

/** Returns the id of the show that a series starts at one time. @param time milliseconds since the epoch */
export function occurrenceId(scheduleId: string, time: number): string {
  const minute = new Date(time).toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  const series =
    scheduleId.length > MAX_SCHEDULE_ID_LENGTH
      ? createHash('sha256').update(scheduleId).digest('hex').slice(0, 40)
      : scheduleId
  return `${series}-${minute}`
}

/** Returns the time of the id of an occurrence, in milliseconds since the epoch; NaN for another id. */
export function timeOfOccurrence(showId: string): number {
  const [, ...fields] = /-(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)$/.exec(showId) ?? []
  const [year = Number.NaN, month = 1, day, hour, minute] = fields.map(Number)
  return Date.UTC(year, month - 1, day, hour, minute)
}
