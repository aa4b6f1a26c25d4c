import { isTagOf } from '../../../lib/show/document/fields/names.ts'
import type { Evidence } from './evidence.ts'

/**
 * Returns the ids of archives that may exist beside that of their part, if a start was delayed: the platform may receive it after
 * the part has ended. Results name them, except those that began after the show was reported. The sweep stops these.
 */
export function straysOf({
  statusChanges,
  shows,
  failedCalls,
}: Pick<Evidence, 'statusChanges' | 'shows' | 'failedCalls'>): ReadonlySet<string> {
  const strays = new Set<string>()
  const isDelayed = failedCalls.some(
    ({ kind, operation }) => kind === 'delayed' && operation === 'platform startArchive',
  )
  if (!isDelayed) return strays
  for (const { showId, result } of shows) {
    if (!result) continue
    for (const { archiveId } of result.strays ?? []) strays.add(archiveId)
    const reportedAt = Date.parse(result.reportedAt)
    const begun = statusChanges.filter(({ kind, tag }) => kind === 'archive' && isTagOf(showId, tag))
    for (const [id, [first]] of Map.groupBy(begun, (change) => change.id))
      if (first && first.at > reportedAt) strays.add(id)
  }
  return strays
}
