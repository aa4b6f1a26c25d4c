import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

/** Seconds after its acceptance by which a show without a schedule starts: the sweep starts what the API did not, at its second run. */
const WITHIN = 900
const STARTING = /^SweepShows$/

/** Checks that a show which was recorded is started, also if the call that recorded it was interrupted. */
export function begunShows({ shows, failedCalls }: Pick<Evidence, 'shows' | 'failedCalls'>): string[] {
  const faults = faultsOf(failedCalls, STARTING)
  return shows.flatMap(({ showId, request, startedAt }) => {
    const acceptedAt = Date.parse(request?.acceptedAt ?? '')
    const late = startedAt - acceptedAt
    if (!request || request.show.start || request.scheduleId || !(late > WITHIN * 1000)) return []
    if (faults.some(({ at }) => at >= acceptedAt && at <= startedAt)) return []
    return [`the show ${showId.slice(0, 12)} started ${late / 1000} s after it was accepted`]
  })
}
