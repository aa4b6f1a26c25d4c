import type { Evidence } from '../evidence.ts'
import { type Invocation, invocationsIn } from '../model/invocations.ts'

const STARTS = /^platform (startArchive|startBroadcast|startComposer|dial)$/
/** Status of an answer to a stop that is noted. */
const DONE = 200
/** Seconds before an invocation in which the platform may have received a start late, which another one has made. */
const DELAY = 120

/** Starts that a function stops itself if its show was stopped meanwhile, and the calls that stop them. */
const UNDONE = /^platform start/
const STOPS = /^platform stop/

/**
 * Checks that no function starts anything for a show once its stop was answered. A function that was at work when the answer
 * arrived stops what it has started since, or fails.
 */
export function finalStops({ shows, trace, failedCalls }: Pick<Evidence, 'shows' | 'trace' | 'failedCalls'>): string[] {
  const stopped = shows.flatMap(({ showId }) => {
    const order = trace.findIndex(({ call }) => call?.name === `api POST /shows/${showId}/stop` && call.status === DONE)
    return order < 0 ? [] : [{ showId, order }]
  })
  if (stopped.length === 0) return []
  const isDelayed = (at: number) =>
    failedCalls.some(
      (one) => one.kind === 'delayed' && STARTS.test(one.operation) && one.at >= at - DELAY * 1000 && one.at <= at,
    )
  const invocations = invocationsIn(trace)
  return stopped.flatMap(({ showId, order }) => {
    const since = new Set(trace.slice(order))
    const isUndone = ({ entries, outcome }: Invocation) =>
      outcome !== 'done' || entries.some(({ call }) => STOPS.test(call?.name ?? ''))
    const problems = invocations.flatMap((one) => {
      if (isDelayed(one.at)) return []
      const starts = startsOf(one, showId).filter((entry) => since.has(entry))
      const wrong =
        one.begin > order ? starts : starts.filter(({ call }) => UNDONE.test(call?.name ?? '') && !isUndone(one))
      return wrong.map(({ call }) => `${one.caller} called ${call?.name}`)
    })
    return problems.map((what) => `${what} for the show ${showId.slice(0, 12)}, whose stop was answered before`)
  })
}

const startsOf = ({ entries }: Invocation, showId: string) =>
  entries.filter(({ show, call }) => show === showId && call && STARTS.test(call.name) && call.status < 300)
