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

/** Maximum number of formats that are kept: each takes about 30 KB, and a deployment uses few zones. */
const MAX_FORMATS = 50
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the format of a zone. A format takes longer to create than to use. @throws RangeError for an unknown zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const created = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...numbers })
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(zone, created)
  return created
}

/** Returns whether a text names a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return /^[A-Za-z]/.test(name) // an offset is not a zone
  } catch {
    return false
  }
}

const DAY = 86_400_000

/** Matches the offset from UTC at the end of a time. */
const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/

/** Returns whether a time has an offset from UTC, and so needs no zone. */
export const hasOffset = (time: string): boolean => OFFSET.test(time)

/** Returns the time that the clocks of a zone show, as `2026-12-01T19:00`. @param instant milliseconds since the epoch */
export function shownTimeOf(instant: number, zone: string): string {
  const parts = formatOf(zone)
    .formatToParts(instant)
    .map(({ type, value }) => [type, value.padStart(type === 'year' ? 4 : 2, '0')])
  const { year, month, day, hour, minute } = Object.fromEntries(parts) as Record<string, string>
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/** Returns the date that the clocks of a zone show, as `2026-12-01`. @param instant milliseconds since the epoch */
export const localDateOf = (instant: number, zone: string): string => shownTimeOf(instant, zone).slice(0, 10)

/** A local time without a fraction, and its zone. */
interface LocalTime {
  readonly at: string
  readonly zone: string
}

/**
 * Returns a time with an offset as a local time of a zone, or of UTC where the zone's clocks show the same time twice and the
 * second is meant.
 * @returns undefined when the zone has another offset at that time, or there is no such time
 */
export function localTimeOf(time: string, zone: string): LocalTime | undefined {
  const instant = Math.floor(Date.parse(time) / 1000) * 1000
  if (Number.isNaN(instant)) return undefined
  const inUtc = { at: toMinutes(new Date(instant).toISOString()), zone: 'UTC' }
  if (zone === 'UTC') return inUtc
  const at = toMinutes(time)
  const [first, ...later] = instantsOf(at, zone)
  if (first === instant) return { at, zone }
  return later.includes(instant) ? inUtc : undefined
}

/** Returns a time without its offset and fraction, and without seconds that are 0. */
const toMinutes = (time: string) =>
  time
    .replace(OFFSET, '')
    .slice(0, 19)
    .replace(/(T\d{2}:\d{2}):00$/, '$1')

/** Returns the later instant of a local time that occurs twice, because clocks are set back over it. */
export function secondInstantOf(local: string, zone: string): number | undefined {
  const instants = instantsOf(local, zone)
  return instants.length > 1 ? instants.at(-1) : undefined
}

/**
 * Returns the instant of a local time such as `2026-12-01T19:00`, in milliseconds since the epoch: the first of two if clocks are
 * set back, and undefined if they are set forward over it.
 */
export const instantOf = (local: string, zone: string): number | undefined => instantsOf(local, zone)[0]

/** Returns the instants of a local time, earliest first. */
function instantsOf(local: string, zone: string): number[] {
  const wanted = Date.parse(`${local}Z`)
  if (zone === 'UTC') return [wanted].filter((moment) => !Number.isNaN(moment))
  const format = formatOf(zone)
  const shown = (instant: number) => {
    const parts = format.formatToParts(instant).map(({ type, value }) => [type, Number(value)])
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, number>
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  }
  // The difference to UTC is the zone's offset, either before or after the next change of the clocks.
  const moments = [wanted - DAY, wanted + DAY].map((near) => wanted - (shown(near) - near))
  return [...new Set(moments)].sort((one, other) => one - other).filter((moment) => shown(moment) === wanted)
}
