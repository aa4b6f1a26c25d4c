import { startOrAdoptArchive } from '../lib/services/adoption.ts'
import { instead, isNotYet } from '../lib/services/refusals.ts'
import type { Services } from '../lib/services/services.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function checkAudience(
  input: TaskInput<'checkAudience'>,
  { platform, records, clock }: Services,
): Promise<TaskOutput<'checkAudience'>> {
  const { showId, startedAt, audienceWait } = input
  if (await hasAudience(await platform(), input)) {
    await records.note(showId, { what: 'audience.present' })
    return { audience: 'present', waitSeconds: 0 }
  }

  const waited = (clock.now() - Date.parse(startedAt)) / 1000
  if (waited >= audienceWait) return { audience: 'never came', waitSeconds: 0 }
  const state = await records.readState(showId)
  if (state?.status === 'starting') await records.updateState(showId, (latest) => ({ ...latest, status: 'waiting' }))
  return {
    audience: 'absent',
    waitSeconds: Math.max(1, Math.min(secondsUntilNextLook(waited), audienceWait - waited)) | 0,
  }
}

/** A stream somebody publishes, or else a start that is not refused: listeners without a stream count as well. */
async function hasAudience(
  platform: Awaited<ReturnType<Services['platform']>>,
  { showId, sessionId, firstRecording }: TaskInput<'checkAudience'>,
): Promise<boolean> {
  const { items } = await platform.listStreams({ sessionId }).catch(instead(isNotYet, { items: [] }))
  if (items.length > 0) return true
  const archive = startOrAdoptArchive(platform, { showId, sessionId, order: firstRecording })
  return archive.then(() => true).catch(instead(isNotYet, false))
}

/** People come around the start, and then rarely. */
const secondsUntilNextLook = (waited: number) => (waited < 60 ? 2 : waited < 600 ? 5 : 15)

export const handler = taskHandler('checkAudience', checkAudience)
