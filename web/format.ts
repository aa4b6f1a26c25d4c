const LOCALE = 'en-GB' // the pages are in English; 24-hour clock
/** Keeps a number and its unit on one line. */
export const NBSP = '\u00a0'

/** Formats seconds as a clock does: `0:07`, `12:00`, `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** Formats bytes in decimal units, as file managers do: `3.4 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1e3) return `${bytes}${NBSP}B`
  const [unit, name] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB']
  return `${(bytes / Number(unit)).toFixed(1)}${NBSP}${name}`
}

/** Formats a bitrate: `850 kbit/s`, `2.4 Mbit/s`. */
export const bitrateLabel = (kilobits: number): string =>
  kilobits < 1000 ? `${Math.round(kilobits)}${NBSP}kbit/s` : `${(kilobits / 1000).toFixed(1)}${NBSP}Mbit/s`

/** Formats a frame rate: `30 fps`. */
export const frameRateLabel = (framesPerSecond: number): string => `${Math.round(framesPerSecond)}${NBSP}fps`

/**
 * Formats a moment to the minute. The date is left out if it is today.
 * @param time ISO 8601
 * @param now milliseconds since the epoch
 * @param timeZone @default the zone of the browser
 */
export function moment(time: string, now: number, timeZone?: string): string {
  const zone = timeZone ? { timeZone } : {}
  const day = (date: Date) =>
    date.toLocaleDateString(LOCALE, { day: 'numeric', month: 'short', year: 'numeric', ...zone })
  const at = new Date(time)
  const hour = at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit', ...zone })
  return day(at) === day(new Date(now)) ? `today, ${hour}` : `${day(at)}, ${hour}`
}

/**
 * Formats the time of day to the second: `20:05:09`.
 * @param time ISO 8601
 * @param timeZone @default the zone of the browser
 */
export const timeOfDay = (time: string, timeZone?: string): string =>
  new Date(time).toLocaleTimeString(LOCALE, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(timeZone && { timeZone }),
  })
