import { purgeDue } from '../../lib/publish/deletion/deletion.ts'
import type { Services } from '../../lib/services.ts'
import { allSettledLimited } from '../../lib/show/run/concurrency.ts'
import { type SweepResult, sweep } from '../../lib/show/run/sweep/sweep.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { taskHandler } from '../middleware/task.ts'

/** Of the list of shows that are not settled. */
const PAGE = 1_000
/** Recordings that one sweep purges; the next purges the others. */
const MAX_PURGES = 20

export async function sweepShows(
  _event: TaskInput<'sweepShows'>,
  services: Services,
  log: Pick<Log, 'error'>,
): Promise<TaskOutput<'sweepShows'>> {
  const showIds = await listUnfinished(services)
  const outcomes = await allSettledLimited(showIds.map((showId) => () => sweep(services, showId)))
  const which = (swept: SweepResult) =>
    showIds.filter((_, index) => {
      const outcome = outcomes[index]
      return outcome?.status === 'fulfilled' && outcome.value === swept
    })
  const failed = showIds.filter((showId, index) => {
    const outcome = outcomes[index]
    if (outcome?.status === 'rejected') log.error('not swept', { showId, error: outcome.reason }) // the next one tries again
    return outcome?.status === 'rejected'
  })
  const unpurged: string[] = []
  const purged = await purgeDue(services, MAX_PURGES, (archiveId, error) => {
    log.error('not purged', { archiveId, error })
    unpurged.push(archiveId)
  })
  return {
    looked: showIds.length,
    started: which('started'),
    settled: which('settled'),
    overdue: which('overdue'),
    failed,
    purged,
    unpurged,
  }
}

async function listUnfinished({ records }: Services): Promise<string[]> {
  const showIds: string[] = []
  for (let after: string | undefined; ; ) {
    const { items, cursor } = await records.listUnfinished({ limit: PAGE, ...(after && { after }) })
    showIds.push(...items)
    if (!cursor) return showIds
    after = cursor
  }
}

export const handler = taskHandler('sweepShows', sweepShows)
