interface Field {
  readonly name: string
  readonly least: number
  readonly most: number
  /** Of the values, from the least on. */
  readonly names?: readonly string[]
  /** What stands for a value beside numbers, names, ranges and steps. */
  readonly special?: RegExp
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const DAY_OF_MONTH: Field = {
  ...{ name: 'day of month', least: 1, most: 31 },
  special: /^(?:L|(?:[1-9]|[12]\d|3[01])W)$/,
}
const MONTH: Field = { name: 'month', least: 1, most: 12, names: months }
const YEAR: Field = { name: 'year', least: 1970, most: 2199 }

/** EventBridge Scheduler user guide, "Schedule types", "Cron-based schedules". */
const fields: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  DAY_OF_MONTH,
  MONTH,
  {
    name: 'day of week',
    least: 1,
    most: 7,
    names: days,
    special: new RegExp(`^(?:L|(?:[1-7]|${days.join('|')})(?:L|#[1-5]))$`),
  },
  YEAR,
]

/** With `cron()` around them, all that Scheduler takes. */
const MAX_CHARACTERS = 250

/**
 * What is wrong with six cron fields of EventBridge Scheduler, in words that go on from their path; undefined when nothing is.
 * Fields that are right by themselves may still never come together: that is noticed of days of the month that no month has,
 * and of nothing else, such as a fifth weekday of February or what clocks jump over.
 */
export function cronProblem(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`
  const items = itemsOf(text)
  if (items.length !== fields.length)
    return 'must have six fields: minute, hour, day of month, month, day of week, year'
  if ((items[2] === '?') === (items[4] === '?'))
    return 'must have ? as the day of month or as the day of week, and not as both'
  const wrong = fields.find((field, index) => !isTaken(field, items[index] ?? ''))
  if (wrong) return `has no valid ${wrong.name}`
  return hasDay(items) ? undefined : 'never comes: none of its months has such a day'
}

/** The last year in which a valid expression comes. */
export const lastYearOf = (text: string): number => Math.max(...valuesOf(YEAR, itemsOf(text)[5] ?? '*'))

const itemsOf = (text: string) => text.toUpperCase().split(' ')

/** Whether there is such a day in any of the months of any of the years. */
function hasDay([, , day = '', month = '', , year = '']: readonly string[]): boolean {
  if (day === '?' || /[LW]/.test(day)) return true
  const days = valuesOf(DAY_OF_MONTH, day)
  const earliest = Math.min(...days)
  return valuesOf(YEAR, year).some((one) => valuesOf(MONTH, month).some((each) => earliest <= daysOf(one, each)))
}

const daysOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

function isTaken(field: Field, text: string): boolean {
  if (text === '?') return field.special !== undefined
  const items = text.split(',')
  // Scheduler takes one expression with # alone.
  if (items.length > 1 && items.some((item) => item.includes('#'))) return false
  return items.every((item) => field.special?.test(item) || rangeOf(field, item) !== undefined)
}

/** Every value of a valid field; what is special in it has none. */
const valuesOf = (field: Field, text: string): number[] =>
  text.split(',').flatMap((item) => {
    const { first, last, step } = rangeOf(field, item) ?? { first: 1, last: 0, step: 1 }
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)
  })

/** What values, ranges and steps stand for: `5`, `MON-FRI`, `0/15`, all both ends included. */
function rangeOf({ least, most, names = [] }: Field, item: string) {
  const read = (text: string) => {
    const value = /^\d+$/.test(text) ? Number(text) : names.includes(text) ? least + names.indexOf(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
  const [, range = '', steps] = /^([^/]+)(?:\/([1-9]\d*))?$/.exec(item) ?? []
  const step = Number(steps ?? 1)
  if (range === '*') return { first: least, last: most, step }
  const [first, last, ...more] = range.split('-').map(read)
  if (first === undefined || more.length > 0) return undefined
  if (!range.includes('-')) return { first, last: steps === undefined ? first : most, step }
  return last !== undefined && first <= last ? { first, last, step } : undefined
}
