import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** Reasons that the document of a show, or the session that it names, may have. */
const OWN = /secret|session|relayed/i

/** Checks that no show fails before a fault has struck, unless its document or its session are the reason. */
export function unprovokedEnds({ shows, trace }: Pick<Evidence, 'shows' | 'trace'>): string[] {
  const first = exceptionsIn(trace).find(({ fault }) => fault !== undefined)?.at ?? Number.POSITIVE_INFINITY
  return shows.flatMap(({ showId, result }) =>
    result?.status === 'failed' && Date.parse(result.reportedAt) < first && !OWN.test(result.reason)
      ? [`the show ${showId.slice(0, 12)} failed before any fault struck: ${result.reason}`]
      : [],
  )
}
