import type { Recurrence } from '../schedules/cron.ts'
import { readExpression } from '../schedules/expression.ts'
import type { RotationRules } from './versions.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MAX_DAYS = 1000
const MIN_HOURS = 4

/**
 * Returns the times of a rotation since the last change. A window of days opens at midnight in UTC (Secrets Manager
 * user guide, "Rotation schedules"). AWS rotates at some time within a window, and this cloud at its start.
 * @throws Error naming what is wrong with the rules
 */
export function readRotationRules(rules: RotationRules): Recurrence {
  const { AutomaticallyAfterDays: days, ScheduleExpression: expression } = rules
  if ((days === undefined) === (expression === undefined))
    throw new Error('RotationRules need either AutomaticallyAfterDays or a ScheduleExpression.')
  if (expression === undefined) return afterDays(Number(days))
  const [, count = '', unit] = /^rate\((\d{1,4}) (hour|day)s?\)$/.exec(expression) ?? []
  if (unit === 'day') return afterDays(Number(count))
  if (unit === 'hour' && Number(count) >= MIN_HOURS) return { after: (time) => time + Number(count) * HOUR_MS }
  if (expression.startsWith('cron(')) return readExpression(expression, { anchor: 0 })
  throw new Error(
    `${expression} is not a schedule of a rotation. Write rate(10 days), rate(${MIN_HOURS} hours) or cron(…).`,
  )
}

function afterDays(days: number): Recurrence {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new Error(`A secret is rotated after 1 to ${MAX_DAYS} whole days.`)
  return { after: (time) => Math.floor(time / DAY_MS + days) * DAY_MS }
}
