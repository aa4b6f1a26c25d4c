/** Swedish writes dates as ISO 8601 does, and without a letter between date and time. */
const LOCALE = 'sv-SE'

/** Returns a time in the zone of this machine for people: `2026-11-22 19:00`. `--json` prints ISO 8601 instead. */
export const localMinute = (time: string | number | Date): string =>
  new Date(time).toLocaleString(LOCALE, { dateStyle: 'short', timeStyle: 'short' })

/** Returns the day of a time in the zone of this machine: `2026-11-22`. */
export const localDay = (time: string | number | Date): string =>
  new Date(time).toLocaleDateString(LOCALE, { dateStyle: 'short' })

/** Returns a text in which every time of ISO 8601 in UTC is in the zone of this machine: `2026-11-22 19:00:05`. */
export const localTimesIn = (text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) =>
    new Date(time).toLocaleString(LOCALE, { dateStyle: 'short', timeStyle: 'medium' }),
  )

/** Returns the time on the clock of this machine: `19:00:05`. */
export const localClock = (time: string | number | Date): string =>
  new Date(time).toLocaleTimeString(LOCALE, { timeStyle: 'medium' })
