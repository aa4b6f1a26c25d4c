import { Cron } from 'croner'

export interface Recurrence {
  /** Returns the first time after `time`; undefined if there is none. */
  after(time: number): number | undefined
}

interface Field {
  readonly name: string
  readonly least: number
  readonly most: number
  /** Names of the values, from the lowest. */
  readonly names?: readonly string[]
  /** Converts an item that is not a value, range or step to croner’s syntax; undefined if it is not valid. */
  readonly special?: (item: string, isValue: (text: string) => boolean) => string | undefined
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** The fields in AWS’s order */
const FIELDS: readonly Field[] = [
  { name: 'minutes', least: 0, most: 59 },
  { name: 'hours', least: 0, most: 23 },
  {
    name: 'day of month',
    least: 1,
    most: 31,
    special: (item, isValue) =>
      item === 'L' || (/^\d+W$/.test(item) && isValue(item.slice(0, -1))) ? item : undefined,
  },
  { name: 'month', least: 1, most: 12, names: MONTHS },
  {
    name: 'day of week',
    least: 1,
    most: 7,
    names: WEEKDAYS,
    special(item, isValue) {
      if (item === 'L') return '7' // the last day of the week
      const [, day = '', which = ''] = /^(\w+?)(L|#[1-5])$/.exec(item) ?? []
      return isValue(day) ? `${day}#${which.replace('#', '')}` : undefined
    },
  },
  { name: 'year', least: 1970, most: 2199 },
]

/**
 * Returns the times of AWS’s six cron fields, on a clock without changes. Weekdays count from 1 for Sunday.
 * @throws Error naming the invalid field
 */
export function readCron(text: string): Recurrence {
  const items = text.toUpperCase().trim().split(/\s+/)
  if (items.length !== FIELDS.length)
    throw new Error(`cron(${text}) must have six fields: minutes, hours, day of month, month, day of week and year.`)
  if ((items[2] === '?') === (items[4] === '?'))
    throw new Error(`cron(${text}) must have ? for either the day of month or the day of week, and not for both.`)
  const fields = FIELDS.map((field, index) => {
    const converted = convert(field, items[index] as string)
    if (converted === undefined) throw new Error(`The ${field.name} of cron(${text}) is not valid.`)
    return converted
  })
  const cron = new Cron(`0 ${fields.join(' ')}`, {
    mode: '7-part',
    alternativeWeekdays: true, // 1 to 7 from Sunday, as in AWS
    domAndDow: true, // one of the two is always ?
    timezone: 'UTC',
    paused: true,
  })
  return { after: (time) => cron.nextRun(new Date(time))?.getTime() }
}

/** Converts a field to croner’s syntax; undefined if AWS would refuse it. */
function convert(field: Field, text: string): string | undefined {
  if (text === '*') return text
  if (text === '?') return field.special && text
  const items = text.split(',').map((item) => convertItem(field, item))
  // croner accepts several weekdays of which only some are numbered. AWS accepts one expression with #.
  if (items.length > 1 && items.some((item) => item?.includes('#'))) return undefined
  return items.includes(undefined) ? undefined : items.join(',')
}

function convertItem(field: Field, item: string): string | undefined {
  const numberOf = (text: string) =>
    /^\d+$/.test(text) ? Number(text) : field.least + (field.names?.indexOf(text) ?? Number.NaN)
  const isValue = (text: string) => numberOf(text) >= field.least && numberOf(text) <= field.most
  const [, range = '', step] = /^([^/]+)(?:\/([1-9]\d*))?$/.exec(item) ?? []
  const [first = '', last, ...more] = range.split('-')
  const isRange = last !== undefined && more.length === 0 && isValue(first) && isValue(last)
  if (range === '*' && step) return item
  if (isRange && numberOf(first) <= numberOf(last)) return item
  if (last === undefined && isValue(first)) return step ? `${first}-${field.most}/${step}` : item // 0/15: from 0 on
  return field.special?.(item, isValue)
}
