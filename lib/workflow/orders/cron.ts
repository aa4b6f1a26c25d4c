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

/** EventBridge Scheduler user guide, "Schedule types", "Cron-based schedules". */
const fields: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31, special: /^(?:L|(?:[1-9]|[12]\d|3[01])W)$/ },
  { name: 'month', least: 1, most: 12, names: months },
  {
    name: 'day of week',
    least: 1,
    most: 7,
    names: days,
    special: new RegExp(`^(?:L|(?:[1-7]|${days.join('|')})(?:L|#[1-5]))$`),
  },
  { name: 'year', least: 1970, most: 2199 },
]

/** What is wrong with six cron fields of EventBridge Scheduler, in words that go on from their path; undefined when nothing is. */
export function cronProblem(text: string): string | undefined {
  const items = text.toUpperCase().split(' ')
  if (items.length !== fields.length)
    return 'must have six fields: minute, hour, day of month, month, day of week, year'
  if ((items[2] === '?') === (items[4] === '?'))
    return 'must have ? as the day of month or as the day of week, and not as both'
  const wrong = fields.find((field, index) => !isTaken(field, items[index] ?? ''))
  return wrong && `has no valid ${wrong.name}`
}

function isTaken(field: Field, text: string): boolean {
  if (text === '?') return field.special !== undefined
  const items = text.split(',')
  // Scheduler takes one expression with # alone.
  if (items.length > 1 && items.some((item) => item.includes('#'))) return false
  return items.every((item) => isItem(field, item))
}

function isItem({ least, most, names = [], special }: Field, item: string): boolean {
  const read = (text: string) => {
    const value = /^\d+$/.test(text) ? Number(text) : names.includes(text) ? least + names.indexOf(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
  if (special?.test(item)) return true
  const [, range = '', step] = /^([^/]+)(?:\/([1-9]\d*))?$/.exec(item) ?? []
  if (range === '*') return step !== undefined || item === '*'
  const [first, last, ...more] = range.split('-').map(read)
  if (first === undefined || more.length > 0) return false
  return !range.includes('-') || (last !== undefined && first <= last)
}
