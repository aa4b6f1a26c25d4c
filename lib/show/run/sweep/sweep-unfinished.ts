import type { TaskOutput } from '../../../tasks/tasks.ts'
import { allSettledLimited } from '../concurrency.ts'
import { type Sweeping, type SweepResult, sweep } from './sweep.ts'

/**
 * Sweeps every unfinished show. A failure does not hold up the others, and the next sweep retries it.
 * @param onFailure is called with the id of each show whose sweep failed, and the error
 */
export async function sweepUnfinished(
  services: Sweeping,
  onFailure: (showId: string, error: unknown) => void,
): Promise<Omit<TaskOutput<'sweepShows'>, 'purged' | 'unpurged'>> {
  const showIds = await Array.fromAsync(services.records.eachUnfinished())
  const outcomes = await allSettledLimited(showIds.map((showId) => () => sweep(services, showId)))
  const swept = outcomes.map((outcome, index) => ({ showId: showIds[index] ?? '', outcome }))
  const failed = swept.flatMap(({ showId, outcome }) => {
    if (outcome.status === 'fulfilled') return []
    onFailure(showId, outcome.reason)
    return showId
  })
  const which = (result: SweepResult) =>
    swept.flatMap(({ showId, outcome }) => (outcome.status === 'fulfilled' && outcome.value === result ? showId : []))
  return {
    checked: showIds.length,
    started: which('started'),
    settled: which('settled'),
    overdue: which('overdue'),
    failed,
  }
}
