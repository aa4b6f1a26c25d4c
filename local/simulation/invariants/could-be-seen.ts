import type { Evidence } from './evidence.ts'

/** Callers that list archives. One of the answers may have been lost. */
const LISTING = /^(WatchShow|CheckUploads|ReportShow)(\/\d+)?$/
const MIN_LISTS = 3
/** Seconds after which every list has a new archive. */
const LAG = 60

/** Returns true if the platform listed an archive often enough for the show to find it. */
export function couldBeSeen(archiveId: string, { statusChanges, trace }: Evidence): boolean {
  const startedAt = statusChanges.find(({ id }) => id === archiveId)?.at ?? 0
  const lists = trace.filter(
    ({ call }) => call?.name === 'platform listArchives' && call.status === 200 && LISTING.test(call.caller),
  )
  return lists.filter(({ at }) => at > startedAt + LAG * 1000).length >= MIN_LISTS
}
