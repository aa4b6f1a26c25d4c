import { type Recurrence, readCron } from './cron.ts'
import { createZone } from './zone.ts'

export interface ExpressionOptions {
  /** IANA time zone, which rates ignore. @default 'UTC' */
  readonly zone?: string
  /** First time of a rate. */
  readonly anchor: number
}

const UNITS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/**
 * Returns the times of `rate(5 minutes)`, `cron(0 9 ? * 3#2 *)` or `at(2026-03-10T09:00:00)`.
 *
 * At clock changes, cron follows AWS (EventBridge Scheduler user guide, "Daylight savings time"): a time that does not
 * exist is skipped, one that occurs twice runs once, and a day of a rate has 24 hours. croner differs, so it computes
 * local times only. An `at` that does not exist is refused, since AWS documents no rule.
 * @throws Error naming what is wrong with the expression or the zone
 */
export function readExpression(text: string, { zone: name = 'UTC', anchor }: ExpressionOptions): Recurrence {
  const zone = createZone(name)
  const [, kind, inner = ''] = /^(rate|cron|at)\((.*)\)$/.exec(text) ?? []
  if (kind === 'rate') return readRate(inner, anchor)
  if (kind === 'at') {
    const instant = zone.toInstant(readWallTime(inner))
    if (instant === undefined) throw new Error(`${text} does not exist in ${name}: its clocks jump over it.`)
    return { after: (time) => (instant > time ? instant : undefined) }
  }
  if (kind !== 'cron') throw new Error(`${text} is neither rate(…), cron(…) nor at(…).`)
  const cron = readCron(inner)
  return {
    after(time) {
      for (let wall = cron.after(zone.toWall(time)); wall !== undefined; wall = cron.after(wall)) {
        const instant = zone.toInstant(wall)
        if (instant !== undefined && instant > time) return instant
      }
      return undefined
    },
  }
}

function readRate(inner: string, anchor: number): Recurrence {
  const [, count, unit = ''] = /^([1-9]\d{0,8}) (minute|hour|day)s?$/.exec(inner) ?? []
  if (!count) throw new Error(`rate(${inner}) must be a positive number and minutes, hours or days.`)
  const period = Number(count) * UNITS[unit as keyof typeof UNITS]
  return { after: (time) => anchor + Math.max(0, Math.floor((time - anchor) / period) + 1) * period }
}

function readWallTime(inner: string): number {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(inner) ? Date.parse(`${inner}Z`) : Number.NaN
  // Some parsers read 30 February as a day in March.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(inner))
    throw new Error(`at(${inner}) must be a date and time as 2026-03-10T09:00:00.`)
  return wall
}
