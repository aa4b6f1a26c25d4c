import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'
import { hindrancesIn, type WatchEvidence } from '../parts/watch-faults.ts'

/** Seconds after its time within which a cue is carried out, and those before it in which a fault or a request may delay it. */
const WITHIN = 12
const EXCUSED = 300
/** Seconds of a show after which its parts have started, and it is polled. */
const SETTLED = 60

/** Matches the functions that start what a show orders. */
const STARTING = /^Start(Recording|Broadcast|Scene|DialIn)$/

/** Checks that the signals and layouts of cues are sent at their times: a show is polled then. */
export function promptCues(evidence: WatchEvidence & Pick<Evidence, 'shows'>): string[] {
  if (faultsOf(evidence.failedCalls, STARTING).length > 0) return [] // its polls begin once everything has started
  const hindrances = hindrancesIn(evidence)
  return evidence.shows.flatMap(({ showId, request, state }) => {
    const { liveAt, timeline = [] } = state ?? {}
    if (liveAt === undefined) return []
    return (request?.show.cues ?? []).flatMap((cue, index) => {
      const due = Date.parse(liveAt) + cue.at * 1000
      const entry = timeline.find(({ what, id }) => /^cue\.(signal|layout)$/.test(what) && id === `cue-${index + 1}`)
      const at = Date.parse(entry?.at ?? '')
      const isExcused = hindrances.some((one) => one >= due - EXCUSED * 1000 && one <= at)
      return cue.at >= SETTLED && at > due + WITHIN * 1000 && !isExcused
        ? [`the cue ${index + 1} of the show ${showId.slice(0, 12)} was carried out ${(at - due) / 1000} s late`]
        : []
    })
  })
}
