import { purgeDue } from '../../lib/publish/deletion/deletion.ts'
import type { Services } from '../../lib/services.ts'
import { sweepUnfinished } from '../../lib/show/run/sweep/sweep.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { taskHandler } from '../middleware/task.ts'

/** Recordings that one sweep purges; the next sweep purges more. */
const MAX_PURGES = 20

export async function sweepShows(
  _event: TaskInput<'sweepShows'>,
  services: Services,
  log: Pick<Log, 'error'>,
): Promise<TaskOutput<'sweepShows'>> {
  const swept = await sweepUnfinished(services, (showId, error) => log.error('not swept', { showId, error }))
  const unpurged: string[] = []
  const purged = await purgeDue(services, MAX_PURGES, (archiveId, error) => {
    log.error('not purged', { archiveId, error })
    unpurged.push(archiveId)
  })
  return { ...swept, purged, unpurged }
}

export const handler = taskHandler('sweepShows', sweepShows)
