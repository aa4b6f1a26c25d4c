import { jsonOf, type Visit } from '../../../visits/visitor.ts'
import type { Evidence } from '../../evidence.ts'
import { partRunsOf } from '../../parts/part-runs.ts'
import { latestAfter, watchFaultsIn } from '../../parts/watch-faults.ts'

/** Milliseconds after the end of a part, and after the start of the next one, by which polls have noted both. */
const NOTED = 90_000
/** Seconds for which a fault may hide what runs. */
const HIDDEN = 1_200

type Seen = Pick<Evidence, 'shows' | 'visits' | 'statusChanges' | 'trace' | 'failedCalls'>

interface Watched {
  readonly live: { readonly playlist: string } | null
}

/** Checks that the page of a show plays a part of a broadcast that runs, not one that has ended and that another one continues. */
export function playedBroadcasts(evidence: Seen): string[] {
  const faults = watchFaultsIn(evidence)
  return evidence.shows.flatMap(({ showId, state }) => {
    const runs = partRunsOf(showId, 'broadcast', evidence.statusChanges)
    const isOver = (visit: Visit) => {
      const { live } = jsonOf<Watched>(visit) ?? {}
      const { broadcastId } = state?.broadcasts.find(({ hls }) => hls !== undefined && hls === live?.playlist) ?? {}
      const played = runs.find(({ id }) => id === broadcastId)
      const from = visit.at - NOTED
      if (!played || played.to > from || latestAfter(faults, { from, due: from, seconds: HIDDEN }) > from) return false
      return runs.some((one) => one.name === played.name && one.from <= from && one.to > visit.at)
    }
    return evidence.visits
      .filter(({ address, isAtRest }) => !isAtRest && address.startsWith(`/watch/show/${showId}/state`))
      .filter(isOver)
      .map(
        ({ at }) => `the page of ${showId.slice(0, 12)} plays a part that has ended at ${new Date(at).toISOString()}`,
      )
  })
}
