import { isTagOf } from '../../../../lib/show/document/fields/names.ts'
import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'
import { interruptions, latestAfter } from '../parts/watch-faults.ts'

/** Seconds from the start of an archive to its rescue: half of the 72 h for which the platform keeps the file of a failed upload. */
const HALF = 36 * 3_600
/** Seconds within which it is rescued then. */
const WITHIN = 3_600
/** Seconds for which a fault may delay it. */
const EXCUSED = 3_600
const RESCUING = /^(WatchShow|RollOver|execution (watch|rescue))$/

type Seen = Pick<Evidence, 'shows' | 'executions' | 'statusChanges' | 'trace' | 'failedCalls'>

/** Checks that a running show rescues an archive whose upload failed long before the platform deletes it. */
export function rescuedInTime({ shows, executions, statusChanges, trace, failedCalls }: Seen): string[] {
  const rescues = executions
    .filter(({ machine }) => machine === 'rescue')
    .map(({ input, startDate }) => ({ input, at: startDate.getTime() }))
  const faults = [
    ...trace.filter(({ fault }) => interruptions.has(fault ?? '')),
    ...faultsOf(failedCalls, RESCUING),
  ].map(({ at }) => at)
  return shows.flatMap(({ showId, state }) => {
    const endedAt = Date.parse(state?.endedAt ?? '')
    const own = statusChanges.filter(({ kind, tag }) => kind === 'archive' && isTagOf(showId, tag))
    return own
      .filter(({ status }) => status === 'available')
      .flatMap(({ id, tag, at, createdAt }) => {
        const from = Math.max(at, createdAt + HALF * 1000)
        const due = latestAfter(faults, { from, due: from + WITHIN * 1000, seconds: EXCUSED })
        const isKept = !own.some((one) => one.id === id && one.at > at && one.at <= due)
        const isRescued = rescues.some(({ input, at: begunAt }) => begunAt <= due && input.includes(id))
        return endedAt > due && isKept && !isRescued
          ? [`the archive ${tag} was not rescued until ${new Date(due).toISOString()}, and its show still ran`]
          : []
      })
  })
}
