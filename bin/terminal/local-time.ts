/** Swedish writes dates as ISO 8601 does, and without a letter between date and time. */
const LOCALE = 'sv-SE'

/** Returns a time in the zone of this machine for people: `2026-11-22 19:00`. `--json` prints ISO 8601 instead. */
export const localMinute = (time: string | number | Date): string =>
  new Date(time).toLocaleString(LOCALE, { dateStyle: 'short', timeStyle: 'short' })

/** Returns the day of a time in the zone of this machine: `2026-11-22`. */
export const localDay = (time: string | number | Date): string =>
  new Date(time).toLocaleDateString(LOCALE, { dateStyle: 'short' })
