import { instantOf } from '../../lib/show/document/local-times.ts'
import type { StartOrder } from '../../lib/show/document/start.ts'
import { readExpression } from '../../local/cloud/schedules/expression.ts'
import { localMinute } from '../terminal/local-time.ts'
import { describeCron } from './cron-in-words.ts'

/** Returns the next start after `now`, in milliseconds since the epoch; undefined if there is none. */
export function nextStartOf(start: StartOrder, now: number): number | undefined {
  if ('cron' in start) return readExpression(`cron(${start.cron})`, { zone: start.zone, anchor: 0 }).after(now)
  const at = instantOf(start.at, start.zone)
  return at !== undefined && at > now ? at : undefined
}

/** Describes a start in its own zone: `every Tuesday at 19:00 (Europe/Berlin)`. */
export const describeStart = (start: StartOrder): string =>
  'cron' in start ? `${describeCron(start.cron)} (${start.zone})` : `${start.at.replace('T', ' ')} (${start.zone})`

/** Describes a start and, for a recurring one or one of another zone, the next time in the zone of this machine. */
export function describeStartAndNext(start: StartOrder, now: number): string {
  const next = nextStartOf(start, now)
  const isHere = next !== undefined && 'at' in start && localMinute(next) === start.at.slice(0, 16).replace('T', ' ')
  return next === undefined || isHere
    ? describeStart(start)
    : `${describeStart(start)}, next on ${localMinute(next)} local time`
}
