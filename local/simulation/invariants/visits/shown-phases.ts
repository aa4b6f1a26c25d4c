import type { ShowState } from '../../../../lib/show/state/state.ts'
import { exceptionsIn } from '../../trace.ts'
import { jsonOf, type Visit } from '../../visits/visitor.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { partRunsOf } from '../parts/part-runs.ts'

/** Milliseconds around a change in which a visit may show either state: polls are a minute apart, and clocks differ. */
const AROUND = 75_000

type Seen = Pick<Evidence, 'shows' | 'visits' | 'statusChanges' | 'trace'>

/**
 * Checks the status and the phase that visitors are shown while a show runs, and no fault has struck: it is live from its start to
 * its end, and over for viewers once its broadcasts have stopped.
 */
export function shownPhases(evidence: Seen): string[] {
  const firstFault = exceptionsIn(evidence.trace)[0]?.at ?? Number.POSITIVE_INFINITY
  return evidence.shows.flatMap((show) => {
    const visits = evidence.visits.filter(({ at, isAtRest }) => !isAtRest && at < firstFault)
    return visits.flatMap((visit) => {
      const wrong = [...wrongStatus(visit, show), ...wrongPhase(visit, show, evidence)]
      return wrong.map((what) => `the show ${show.showId.slice(0, 12)} ${what} at ${new Date(visit.at).toISOString()}`)
    })
  })
}

function wrongStatus(visit: Visit, { showId, state, result }: ShowEvidence): string[] {
  const shown = visit.address === `/shows/${showId}` ? jsonOf<Pick<ShowState, 'status'>>(visit)?.status : undefined
  const expected = stageAt(visit.at, state, result?.reportedAt)
  return shown === undefined || expected === undefined || shown === expected
    ? []
    : [`is shown as ${shown}, and was ${expected}`]
}

function wrongPhase(visit: Visit, { showId, state, result }: ShowEvidence, { statusChanges }: Seen): string[] {
  const isPage = visit.address.startsWith(`/watch/show/${showId}/state`)
  const shown = isPage ? jsonOf<{ readonly phase: string }>(visit)?.phase : undefined
  const stage = stageAt(visit.at, state, result?.reportedAt)
  if (shown === undefined || stage === undefined) return []
  const broadcasts = partRunsOf(showId, 'broadcast', statusChanges)
  const hasStopped = broadcasts.every(({ to }) => to < visit.at - AROUND)
  const runsOn = broadcasts.some(({ to }) => to > visit.at)
  if (stage === 'ending' && !hasStopped && !runsOn) return []
  const expected = stage === 'live' || !hasStopped ? 'live' : 'after'
  return shown === expected ? [] : [`is in the phase ${shown} for viewers, and was ${stage}`]
}

/** Returns the status of a show well within its live time, or between its end and its report; undefined at other times. */
function stageAt(at: number, state: ShowEvidence['state'], reportedAt = ''): 'live' | 'ending' | undefined {
  const [from, to, end] = [state?.liveAt, state?.endedAt, reportedAt].map((time) => Date.parse(time ?? ''))
  if (from === undefined || to === undefined || end === undefined) return undefined
  if (at > from + AROUND && at < to - AROUND) return 'live'
  return at > to + SKEW && at < end - SKEW ? 'ending' : undefined
}

/** Milliseconds after the recorded end in which its write is under way. */
const SKEW = 3_000
