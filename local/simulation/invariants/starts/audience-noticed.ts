import type { Evidence, ShowEvidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'
import { type Presence, presencesIn } from '../presences.ts'

/** Seconds for which a participant is present before the show must know it, with a pause of the longest poll and a retry. */
const WITHIN = 60
/** Faults beside calls that delay polls. */
const DELAYING: ReadonlySet<string> = new Set(['restart', 'suspension'])
const POLLS = /^(CheckAudience|execution audience)$/

/**
 * Checks that a show which waits notices its audience within a minute, and is not cancelled while a participant is present. A show
 * with scenes or dial-ins waits for one who publishes. A fault of its polls excuses a delay.
 */
export function audienceNoticed({
  shows,
  trace,
  failedCalls,
  publishers,
}: Pick<Evidence, 'shows' | 'trace' | 'failedCalls' | 'publishers'>): string[] {
  const faults = [
    ...trace.filter(({ fault }) => fault !== undefined && DELAYING.has(fault)),
    ...faultsOf(failedCalls, POLLS),
  ].map(({ at }) => at)
  return shows.flatMap((show) => {
    const waitsFrom = trace.find((entry) => entry.show === show.showId && FIRST_POLL.test(entry.line))?.at
    const sessionId = show.state?.sessionId
    if (waitsFrom === undefined || sessionId === undefined) return []
    const until = endOfWait(show)
    const isEligible = needsStream(show) ? ({ name }: Presence) => publishers.has(name) : () => true
    const [first] = presencesIn(trace, sessionId)
      .filter(isEligible)
      .map(({ name, from, to }) => ({ name, from: Math.max(from, waitsFrom), to }))
      .filter(({ from, to }) => Math.min(to, until) - from > WITHIN * 1000)
      .toSorted((one, other) => one.from - other.from)
    if (!first || faults.some((at) => at >= first.from - WITHIN * 1000 && at <= until)) return []
    const end = until === Number.POSITIVE_INFINITY ? 'never' : `after ${(until - first.from) / 1000} s`
    return [`the show ${show.showId.slice(0, 12)} noticed ${first.name}, who was present, ${end}`]
  })
}

const FIRST_POLL = /cloud -> CheckAudience(\/\d+)? invoked$/

const needsStream = ({ state }: ShowEvidence) => (state?.scenes.length ?? 0) + (state?.dialIns.length ?? 0) > 0

/** Returns when a show stopped to wait: its audience was there, it was stopped, or its time was over. */
function endOfWait({ state, result }: ShowEvidence): number {
  const present = state?.timeline.find(({ what }) => what === 'audience.present')?.at
  const ends = [present, state?.stopAskedAt, state?.endedAt, result?.reportedAt]
  return Math.min(...ends.map((at) => Date.parse(at ?? '')).filter((at) => !Number.isNaN(at)))
}
