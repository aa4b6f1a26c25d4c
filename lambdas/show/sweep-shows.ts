import { failClipsOfLost } from '../../lib/publish/clips/queued-clips.ts'
import { purgeDue } from '../../lib/publish/deletion/deletion.ts'
import { sweepUnfinished } from '../../lib/show/run/sweep/sweep.ts'
import { taskHandler } from '../middleware/task.ts'

/** Recordings that one sweep purges; the next sweep purges more. */
const MAX_PURGES = 20

export const handler = taskHandler('sweepShows', async (services, _event, log) => {
  const swept = await sweepUnfinished(services, (showId, error) => log.error('not swept', { showId, error }))
  for (const result of swept.reported)
    await failClipsOfLost(result, services).catch((error) =>
      log.error('clips not failed', { showId: result.showId, error }),
    )
  const unpurged: string[] = []
  const purged = await purgeDue(services, MAX_PURGES, (archiveId, error) => {
    log.error('not purged', { archiveId, error })
    unpurged.push(archiveId)
  })
  return { ...swept, purged, unpurged }
})
