/** Formats a time as numbers that are the same in every language, with midnight as 0. */
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
 * Returns the instant of a local time such as `2026-12-01T19:00`, in milliseconds since the epoch: the first of two if clocks are
 * set back, and undefined if they are set forward over it.
 */
export function instantOf(local: string, zone: string): number | undefined {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...numbers })
  const shown = (instant: number) => {
    const parts = format.formatToParts(instant).map(({ type, value }) => [type, Number(value)])
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, number>
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  }
  // The difference to UTC is the zone's offset, either before or after the next change of the clocks.
  const wanted = Date.parse(`${local}Z`)
  const moments = [wanted - DAY, wanted + DAY].map((near) => wanted - (shown(near) - near))
  return moments.sort((one, other) => one - other).find((moment) => shown(moment) === wanted)
}
