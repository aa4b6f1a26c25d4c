import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { isAttended, presencesIn } from '../presences.ts'
import { partRunsOf } from './part-runs.ts'

/** Seconds after the start of the next part in which the part before is stopped: until that is live, and the longest poll. */
const MOST = 75

type Seen = Pick<Evidence, 'shows' | 'statusChanges' | 'trace'>

/** Checks that a part of a broadcast is stopped once the next part can be played, where no fault has struck and there is an audience. */
export function relievedBroadcasts({ shows, statusChanges, trace }: Seen): string[] {
  const firstFault = exceptionsIn(trace)[0]?.at ?? Number.POSITIVE_INFINITY
  return shows.flatMap(({ showId, state }) => {
    const runs = partRunsOf(showId, 'broadcast', statusChanges)
    return runs.flatMap((one) => {
      const next = runs.find(({ name, part }) => name === one.name && part === one.part + 1)
      if (!next || one.to > firstFault || next.hasFailed || next.to < one.to) return []
      const during = { from: next.from, to: next.from + MOST * 1000 }
      if (!isAttended(presencesIn(trace, state?.sessionId ?? ''), during)) return []
      const overlap = (one.to - next.from) / 1000
      return overlap <= MOST
        ? []
        : [`part ${one.part} of ${one.name} ran on for ${overlap} s after the next part began`]
    })
  })
}
