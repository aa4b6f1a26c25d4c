/** How a time zone's clocks are read: the same numbers in every language, and midnight as 0. */
const numbers = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
  calendar: 'gregory',
  numberingSystem: 'latn',
} as const satisfies Intl.DateTimeFormatOptions

const DAY = 86_400_000

/**
 * The moment at which the clocks of a zone show a local time such as `2026-12-01T19:00`: milliseconds since the epoch. The
 * first of two where they show it twice, and undefined where they jump over it.
 */
export function instantOf(local: string, zone: string): number | undefined {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...numbers })
  const shown = (instant: number) => {
    const parts = format.formatToParts(instant).map(({ type, value }) => [type, Number(value)])
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, number>
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  }
  // Read as if it were UTC, it is off by the zone's offset: the one before or the one after the clocks' next change.
  const wanted = Date.parse(`${local}Z`)
  const moments = [wanted - DAY, wanted + DAY].map((near) => wanted - (shown(near) - near))
  return moments.sort((one, other) => one - other).find((moment) => shown(moment) === wanted)
}
