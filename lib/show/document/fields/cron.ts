interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  /** Names of the values, from `min`. */
  readonly names?: readonly string[]
  /** Matches values beside numbers, names, ranges and steps. */
  readonly special?: RegExp
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const DAY_OF_MONTH: Field = {
  name: 'day of month',
  min: 1,
  max: 31,
  special: /^(?:L|(?:[1-9]|[12]\d|3[01])W)$/,
}
const MONTH: Field = { name: 'month', min: 1, max: 12, names: months }
const MINUTE: Field = { name: 'minute', min: 0, max: 59 }
const HOUR: Field = { name: 'hour', min: 0, max: 23 }
const DAY_OF_WEEK: Field = {
  name: 'day of week',
  min: 1,
  max: 7,
  names: days,
  special: new RegExp(`^(?:L|(?:[1-7]|${days.join('|')})(?:L|#[1-5]))$`),
}
const YEAR: Field = { name: 'year', min: 1970, max: 2199 }

/** EventBridge Scheduler user guide, "Schedule types", "Cron-based schedules". */
const fields: readonly Field[] = [MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK, YEAR]

/** The maximum of Scheduler, less the characters of `cron()`. */
export const MAX_CRON = 250

/**
 * Returns the problem of six cron fields of EventBridge Scheduler, as a message that continues their path; undefined if they are
 * valid. An expression without any date is only detected by days that none of its months has: not a fifth weekday of February,
 * nor a time that clocks are set forward over.
 */
export function cronProblem(text: string): string | undefined {
  if (text.length > MAX_CRON) return `must have at most ${MAX_CRON} characters`
  const items = itemsOf(text)
  if (items.length !== fields.length)
    return 'must have six fields: minute, hour, day of month, month, day of week, year'
  if ((items[2] === '?') === (items[4] === '?'))
    return 'must have ? as the day of month or as the day of week, and not as both'
  const wrong = fields.find((field, index) => !isValid(field, items[index] ?? ''))
  if (wrong) return `has no valid ${wrong.name}`
  return hasDay(items) ? undefined : 'never occurs: none of its months has such a day'
}

/** Returns the last year of a valid expression. */
export const lastYearOf = (text: string): number => Math.max(...valuesOf(YEAR, itemsOf(text)[5] ?? '*'))

/** The dates and times of a valid expression, in the order of time. */
export interface CronTimes {
  readonly years: readonly number[]
  /** From 1. */
  readonly months: readonly number[]
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  /** Returns whether a day is one of the expression’s. @param month from 1 */
  readonly hasDay: (year: number, month: number, day: number) => boolean
}

/** Returns the dates and times of a valid expression, which has no time zone. */
export function timesOf(text: string): CronTimes {
  const [minute = '', hour = '', day = '', month = '', weekday = '', year = ''] = itemsOf(text)
  const values = (field: Field, item: string) => [...new Set(valuesOf(field, item))].sort((one, other) => one - other)
  const matches = day === '?' ? matchesWeekday(weekday) : matchesDay(day)
  return {
    years: values(YEAR, year),
    months: values(MONTH, month),
    hours: values(HOUR, hour),
    minutes: values(MINUTE, minute),
    hasDay: (...date) => matches(...date),
  }
}

/** The weekday of a date, from 1 for Sunday. */
const weekdayOf = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1

function matchesDay(text: string): CronTimes['hasDay'] {
  const days = valuesOf(DAY_OF_MONTH, text)
  const near = text.split(',').flatMap((item) => (item.endsWith('W') ? Number(item.slice(0, -1)) : []))
  const hasLast = text.split(',').includes('L')
  return (year, month, day) =>
    days.includes(day) ||
    (hasLast && day === daysOf(year, month)) ||
    near.some((one) => one <= daysOf(year, month) && day === workdayNear(year, month, one))
}

/** Returns the weekday from Monday to Friday that is nearest to a day, in the same month. */
function workdayNear(year: number, month: number, day: number): number {
  const weekday = weekdayOf(year, month, day)
  if (weekday === 7) return day > 1 ? day - 1 : day + 2
  if (weekday === 1) return day < daysOf(year, month) ? day + 1 : day - 2
  return day
}

function matchesWeekday(text: string): CronTimes['hasDay'] {
  const weekdays = valuesOf(DAY_OF_WEEK, text)
  const special = text.split(',').map((item) => /^(\w+?)(L|#\d)$/.exec(item) ?? [])
  return (year, month, day) => {
    const weekday = weekdayOf(year, month, day)
    const isOne = ([, of, which = '']: readonly string[]) =>
      of !== undefined &&
      valuesOf(DAY_OF_WEEK, of).includes(weekday) &&
      (which === 'L' ? day + 7 > daysOf(year, month) : Math.ceil(day / 7) === Number(which.slice(1)))
    return weekdays.includes(weekday) || (weekday === 7 && text.split(',').includes('L')) || special.some(isOne)
  }
}

const itemsOf = (text: string) => text.toUpperCase().split(' ')

/** Returns whether any of the months in any of the years has such a day. */
function hasDay([, , day = '', month = '', , year = '']: readonly string[]): boolean {
  if (day === '?' || /[LW]/.test(day)) return true
  const days = valuesOf(DAY_OF_MONTH, day)
  const earliest = Math.min(...days)
  return valuesOf(YEAR, year).some((one) => valuesOf(MONTH, month).some((each) => earliest <= daysOf(one, each)))
}

const daysOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

function isValid(field: Field, text: string): boolean {
  if (text === '?') return field.special !== undefined
  const items = text.split(',')
  // Scheduler accepts an expression with # only on its own.
  if (items.length > 1 && items.some((item) => item.includes('#'))) return false
  return items.every((item) => field.special?.test(item) || rangeOf(field, item) !== undefined)
}

/** Returns every value of a valid field, without special ones. */
const valuesOf = (field: Field, text: string): number[] =>
  text.split(',').flatMap((item) => {
    const { first, last, step } = rangeOf(field, item) ?? { first: 1, last: 0, step: 1 }
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)
  })

/** Returns the range of a value, range or step (`5`, `MON-FRI`, `0/15`), with both ends included. */
function rangeOf({ min, max, names = [] }: Field, item: string) {
  const read = (text: string) => {
    const value = /^\d+$/.test(text) ? Number(text) : names.includes(text) ? min + names.indexOf(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }
  const [, range = '', steps] = /^([^/]+)(?:\/([1-9]\d*))?$/.exec(item) ?? []
  const step = Number(steps ?? 1)
  if (range === '*') return { first: min, last: max, step }
  const [first, last, ...more] = range.split('-').map(read)
  if (first === undefined || more.length > 0) return undefined
  if (!range.includes('-')) return { first, last: steps === undefined ? first : max, step }
  return last !== undefined && first <= last ? { first, last, step } : undefined
}
