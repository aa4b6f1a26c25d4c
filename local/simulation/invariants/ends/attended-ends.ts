import type { Evidence } from '../evidence.ts'
import { presencesIn } from '../presences.ts'

/** Matches the reason of a show that ended because it was empty. */
const EMPTY = /^No participant has published/
/** Seconds for which a participant may publish before an end: an observation lasts some seconds. */
const UNSEEN = 60
/** Calls after which a participant does not publish, though it has not left. */
const DISCONNECTS = /^api POST .*\/disconnect$/
/** A corrupt answer may lack streams. */
const CORRUPT = /platform listStreams .*garbage/

/**
 * Checks that no show ends as empty while a participant publishes: an end needs an observation of its time. So no fault that
 * keeps the platform from answering excuses it.
 */
export const attendedEnds = ({
  shows,
  trace,
  publishers,
}: Pick<Evidence, 'shows' | 'trace' | 'publishers'>): string[] =>
  shows.flatMap(({ showId, state }) => {
    const endedAt = Date.parse(state?.endedAt ?? '')
    if (!EMPTY.test(state?.endReason ?? '') || state?.sessionId === undefined) return []
    if (trace.some(({ at, line, call }) => at <= endedAt && (DISCONNECTS.test(call?.name ?? '') || CORRUPT.test(line))))
      return []
    return presencesIn(trace, state.sessionId)
      .filter(({ name, from, to }) => publishers.has(name) && from < endedAt - UNSEEN * 1000 && to > endedAt)
      .map(({ name }) => `the show ${showId.slice(0, 12)} ended as empty at ${state.endedAt}, while ${name} published`)
  })
