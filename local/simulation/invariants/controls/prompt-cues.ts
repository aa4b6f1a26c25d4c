import { faultsOf } from '../faults-of.ts'
import { hindrancesIn, type WatchEvidence } from '../parts/watch-faults.ts'

/** Seconds after its time within which a cue is carried out, and those before it in which a fault or a request may delay it. */
const WITHIN = 12
const EXCUSED = 300
/** Seconds of a show after which its parts have started, and it is polled. */
const SETTLED = 60

/** Matches the functions that start what a show orders. */
const STARTING = /^Start(Recording|Broadcast|Scene|DialIn)$/

/**
 * Checks that the signals and layouts of cues are sent at their times: a show is polled then. A signal that the platform cannot
 * take is sent again for five minutes.
 */
export const promptCues = (evidence: WatchEvidence): string[] => [...late(evidence), ...givenUp(evidence)]

const SIGNALS = /^platform signalSession$/
/** Seconds for which a signal is sent again, and by which clocks may differ. */
const REPEATED = 300
const SKEW = 2
/** Matches a refusal that a repetition does not change. */
const FINAL = /^4(?!29)/

function givenUp({ shows, trace, failedCalls }: WatchEvidence): string[] {
  const calls = trace.flatMap(({ at, call }) =>
    call && SIGNALS.test(call.name) ? [{ at, kind: `${call.status}` }] : [],
  )
  const refused = [...calls, ...failedCalls.filter(({ operation }) => SIGNALS.test(operation))].filter(({ kind }) =>
    FINAL.test(kind),
  )
  return shows.flatMap(({ showId, request, state }) =>
    (request?.show.cues ?? []).flatMap((cue, index) => {
      const due = Date.parse(state?.liveAt ?? '') + cue.at * 1000
      const entry = state?.timeline.find(({ what, id }) => what === 'cue.failed' && id === `cue-${index + 1}`)
      const at = Date.parse(entry?.at ?? '')
      const isRefused = refused.some((one) => one.at >= due - SKEW * 1000 && one.at <= at + SKEW * 1000)
      return cue.signal && at < due + (REPEATED - SKEW) * 1000 && !isRefused
        ? [`the cue ${index + 1} of the show ${showId.slice(0, 12)} was given up after ${(at - due) / 1000} s`]
        : []
    }),
  )
}

function late(evidence: WatchEvidence): string[] {
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
