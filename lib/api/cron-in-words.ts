import type { StartOrder } from '../show/document/starts/start.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November'],
  'December',
] as const
const ORDINALS: Readonly<Record<string, string>> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth' }
/** Times of a day that are listed one by one. */
const MAX_TIMES = 6

/** Describes a start in its own zone: `every Tuesday at 19:00 (Europe/Berlin)`. */
export const describeStart = (start: StartOrder): string =>
  'cron' in start ? `${describeCron(start.cron)} (${start.zone})` : `${start.at.replace('T', ' ')} (${start.zone})`

/** Describes a valid cron expression of a show’s start: `every Tuesday at 19:00`. */
export function describeCron(cron: string): string {
  const [minute = '*', hour = '*', day = '?', month = '*', weekday = '?', year = '*'] = cron.toUpperCase().split(' ')
  const days = daysInWords(day, weekday)
  const times = timesInWords(minute, hour)
  const when = days === undefined && times.startsWith('every') ? times : `${days ?? 'every day'}${glue(times)}${times}`
  const months = month === '*' ? '' : ` in ${list(month.split(',').map((one) => rangeInWords(one, monthName)))}`
  return `${when}${months}${year === '*' ? '' : ` in ${list(year.split(',').map((one) => rangeInWords(one, String)))}`}`
}

const glue = (times: string) => (times.startsWith('every') ? ', ' : ' ')

/** Returns undefined for every day. */
function daysInWords(day: string, weekday: string): string | undefined {
  if (day === '?') {
    if (weekday === '*') return undefined
    if (weekday === 'L') return 'every Saturday'
    const [, one = '', which = ''] = /^(\w+?)(L|#[1-5])$/.exec(weekday) ?? []
    if (one) return `on the ${which === 'L' ? 'last' : ORDINALS[which.slice(1)]} ${weekdayName(one)} of the month`
    return `every ${list(weekday.split(',').map((item) => rangeInWords(item, weekdayName)))}`
  }
  if (day === '*') return undefined
  const items = day.split(',').map((item) => {
    if (item === 'L') return 'the last day'
    if (item.endsWith('W')) return `the weekday nearest to day ${item.slice(0, -1)}`
    return `day ${rangeInWords(item, String)}`
  })
  return `on ${list(items)} of the month`
}

function timesInWords(minute: string, hour: string): string {
  const minutes = minute.split(',')
  const hours = hour.split(',')
  const areNumbers = [...minutes, ...hours].every((one) => /^\d+$/.test(one))
  if (areNumbers && minutes.length * hours.length <= MAX_TIMES) {
    const times = hours.flatMap((one) => minutes.map((other) => Number(one) * 60 + Number(other)))
    return `at ${list(times.toSorted((one, other) => one - other).map(clock))}`
  }
  const isWholeHour = minute === '0' || minute === '00'
  if (hour === '*' && minute === '*') return 'every minute'
  if (hour === '*' && isWholeHour) return 'every hour'
  const everyMinutes = stepOf(minute)
  if (hour === '*' && everyMinutes) return `every ${everyMinutes} minutes`
  const everyHours = stepOf(hour)
  if (everyHours && isWholeHour) return `every ${everyHours} hours`
  const minuteText = isWholeHour ? '' : ` at minute ${list(minutes.map((one) => rangeInWords(one, String)))}`
  if (hour === '*') return `every hour${minuteText}`
  return `every hour of ${list(hours.map((one) => rangeInWords(one, String)))}${minuteText}`
}

// The step of `0/15` or of the same with a star.
const stepOf = (text: string): string | undefined => /^(?:0|\*)\/(\d+)$/.exec(text)?.[1]

/** Describes a value, a range or a step (`5`, `MON-FRI`, `2/3`). */
function rangeInWords(item: string, name: (value: string) => string): string {
  const [range = '', step] = item.split('/')
  const [first = '', last] = range.split('-')
  const steps = step === undefined ? '' : ` in steps of ${step}`
  if (range === '*') return `any${steps}`
  if (last !== undefined) return `${name(first)} to ${name(last)}${steps}`
  return step === undefined ? name(first) : `${name(first)} and later${steps}`
}

const weekdayName = (text: string) => nameIn(WEEKDAYS, text)
const monthName = (text: string) => nameIn(MONTHS, text)

/** Returns the name of a number from 1, or of an abbreviation such as `TUE`. */
const nameIn = (names: readonly string[], text: string): string =>
  (/^\d+$/.test(text) ? names[Number(text) - 1] : names.find((name) => name.toUpperCase().startsWith(text))) ?? text

const clock = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

const list = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
