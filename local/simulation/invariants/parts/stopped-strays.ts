import { isTagOf } from '../../../../lib/show/document/fields/names.ts'
import { endedStatuses } from './part-runs.ts'
import { latestAfter, type WatchEvidence, watchFaultsIn } from './watch-faults.ts'

/** Seconds after which a poll has stopped an archive whose start arrived late, and for which one fault may delay that. */
const WITHIN = 70
const EXCUSED = 900

/** Checks that an archive whose start arrived late is stopped while its show is live: it has the tag of a part that has ended. */
export function stoppedStrays({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const faults = watchFaultsIn({ trace, failedCalls })
  return shows.flatMap(({ showId, state, result }) => {
    const strays = new Set((result?.strays ?? []).map(({ archiveId }) => archiveId))
    const [from, until] = [Date.parse(state?.liveAt ?? ''), Date.parse(state?.endedAt ?? '')]
    const own = statusChanges.filter(
      ({ kind, tag, id }) => kind === 'archive' && isTagOf(showId, tag) && strays.has(id),
    )
    return [...Map.groupBy(own, ({ id }) => id).values()].flatMap((changes) => {
      const [start] = changes
      const end = changes.find(({ status }) => endedStatuses.has(status))?.at ?? Number.POSITIVE_INFINITY
      if (!start || !(start.at >= from && start.at < until)) return []
      const due = latestAfter(faults, { from: start.at, due: start.at + WITHIN * 1000, seconds: EXCUSED })
      return end <= due || until <= due
        ? []
        : [`the archive ${start.tag}, which started late, recorded on for ${(end - start.at) / 1000} s`]
    })
  })
}
