import { isTagOf } from '../../../lib/show/document/fields/names.ts'
import type { Evidence } from './evidence.ts'

type Seen = Pick<Evidence, 'statusChanges' | 'shows' | 'failedCalls' | 'trace'>

/** Faults after which a function has not noted what it started. */
const ENDED = /^(killed|crashed|timed out|out of memory)/

/**
 * Returns the ids of archives that may exist beside that of their part. If a start was delayed, the platform may receive it after
 * the part has ended. If a function ended before it noted a start, and the archive failed before a list that lags shows it, the
 * part is started again. Results name both, except those that began after the show was reported. The sweep stops these.
 */
export function straysOf({ statusChanges, shows, failedCalls, trace }: Seen): ReadonlySet<string> {
  const strays = new Set<string>()
  const isDelayed = failedCalls.some(
    ({ kind, operation }) => kind === 'delayed' && operation === 'platform startArchive',
  )
  const isUnlisted =
    trace.some(({ fault }) => fault === 'lagging lists') &&
    failedCalls.some(({ kind, operation }) => ENDED.test(kind) && operation === 'lambda StartRecording')
  if (!isDelayed && !isUnlisted) return strays
  for (const { showId, result } of shows) {
    if (!result) continue
    for (const { archiveId, status } of result.strays ?? []) if (isDelayed || status === 'failed') strays.add(archiveId)
    if (!isDelayed) continue
    const reportedAt = Date.parse(result.reportedAt)
    const begun = statusChanges.filter(({ kind, tag }) => kind === 'archive' && isTagOf(showId, tag))
    for (const [id, [first]] of Map.groupBy(begun, (change) => change.id))
      if (first && first.at > reportedAt) strays.add(id)
  }
  return strays
}
