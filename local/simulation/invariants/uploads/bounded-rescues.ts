import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

/** Attempts to rescue an archive after the end of its show: at once, and after 1, 5 and 15 minutes. Then it is given up. */
const ATTEMPTS = 4

/**
 * Checks that an archive is rescued as often as its state says, unless its execution was interrupted, or the answer that orders the
 * rescue was lost. One that cannot be rescued is given up, and holds up the report of its show no longer.
 */
export function boundedRescues({
  shows,
  executions,
  failedCalls,
}: Pick<Evidence, 'shows' | 'executions' | 'failedCalls'>): string[] {
  const lost = faultsOf(failedCalls, /^CheckUploads$/).length
  const rescues = executions.filter(({ machine }) => machine === 'rescue')
  const attempts = rescues.map(({ input, startDate }) => ({
    ...(JSON.parse(input) as Rescue),
    at: startDate.getTime(),
  }))
  return shows.flatMap(({ showId, state }) => {
    const endedAt = Date.parse(state?.endedAt ?? '')
    const tried = attempts
      .filter((one) => one.showId === showId && one.at >= endedAt)
      .flatMap(({ stranded }) => stranded.map(({ archiveId }) => archiveId))
    const made = Map.groupBy(tried, (id) => id)
    const interruptions = (state?.closings ?? 0) + lost
    const skipped = (state?.recordings ?? []).filter(
      ({ archiveId = '', rescueTries = 0 }) => (made.get(archiveId)?.length ?? 0) + interruptions < rescueTries,
    )
    return [
      ...[...made]
        .filter(([, { length }]) => length > ATTEMPTS)
        .map(
          ([id, { length }]) => `the archive ${id} was tried to be rescued ${length} times after the end of its show`,
        ),
      ...skipped.map(
        ({ tag, rescueTries }) => `the archive ${tag} was to be rescued ${rescueTries} times, and was not`,
      ),
    ]
  })
}

/** Input of an execution that rescues archives. */
interface Rescue {
  readonly showId: string
  readonly stranded: readonly { readonly archiveId: string }[]
}
