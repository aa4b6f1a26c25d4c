import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** Reasons that the document of a show, or the session that it names, may have. */
const OWN = /secret|session|relayed/i

/** Matches the reason that a session is of another project. */
const FOREIGN = /belongs to the platform project (\d+), but this deployment uses (\d+):/

/**
 * Checks that no show fails before a fault has struck, unless its document or its session are the reason, and that none fails because of a
 * session of the own project.
 */
export function unprovokedEnds({ shows, trace }: Pick<Evidence, 'shows' | 'trace'>): string[] {
  const first = exceptionsIn(trace).find(({ fault }) => fault !== undefined)?.at ?? Number.POSITIVE_INFINITY
  return shows.flatMap(({ showId, result }) => {
    const [, theirs, ours = ''] = FOREIGN.exec(result?.reason ?? '') ?? []
    if (theirs === ours) return [`the show ${showId.slice(0, 12)} failed because of a session of the own project`]
    return result?.status === 'failed' && Date.parse(result.reportedAt) < first && !OWN.test(result.reason)
      ? [`the show ${showId.slice(0, 12)} failed before any fault struck: ${result.reason}`]
      : []
  })
}
