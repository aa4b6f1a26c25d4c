import { describeStart } from '../../lib/api/cron-in-words.ts'
import type { StartOrder } from '../../lib/show/document/starts/start.ts'
import { nextStart } from '../../lib/show/plan/next-start.ts'
import { localMinute } from './local-time.ts'

/** Describes a start and, for a recurring one or one of another zone, the next time in the zone of this machine. */
export function describeStartAndNext(start: StartOrder, now: number): string {
  const next = nextStart(start, now)
  const isHere = next !== undefined && 'at' in start && localMinute(next) === start.at.slice(0, 16).replace('T', ' ')
  return next === undefined || isHere
    ? describeStart(start)
    : `${describeStart(start)}, next on ${localMinute(next)} local time`
}
