import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** Reasons that the document of a show, or the session that it names, may have. */
const OWN = /secret|session|relayed/i

/** Matches the reason that a session is of another project. */
const FOREIGN = /belongs to the platform project (\d+), but this deployment uses (\d+):/

/**
 * Checks that no show fails before a fault has struck, unless its document or its session are the reason, or the platform uploads a
 * recording only after the show. None fails because of a session of the own project.
 */
export function unprovokedEnds({
  shows,
  trace,
  statusChanges,
}: Pick<Evidence, 'shows' | 'trace' | 'statusChanges'>): string[] {
  const first = exceptionsIn(trace).find(({ fault }) => fault !== undefined)?.at ?? Number.POSITIVE_INFINITY
  return shows.flatMap(({ showId, result }) => {
    const [, theirs, ours = ''] = FOREIGN.exec(result?.reason ?? '') ?? []
    if (theirs === ours) return [`the show ${showId.slice(0, 12)} failed because of a session of the own project`]
    if (result?.status !== 'failed' || OWN.test(result.reason)) return []
    const reportedAt = Date.parse(result.reportedAt)
    const isLate = (id: string | undefined) =>
      statusChanges.some((one) => one.id === id && one.status === 'uploaded' && one.at > reportedAt)
    const hasLost = result.recordings.some(({ archiveId, lost }) => lost !== undefined && isLate(archiveId))
    return reportedAt < first && !hasLost
      ? [`the show ${showId.slice(0, 12)} failed before any fault struck: ${result.reason}`]
      : []
  })
}
