import { startOrAdoptArchive } from '../lib/services/adoption.ts'
import { instead, isNotYet } from '../lib/services/refusals.ts'
import type { Services } from '../lib/services/services.ts'
import { secondsUntilNextLook } from '../lib/workflow/looks.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

/** Of the time waited: after ten minutes a look every 15 s, in a day about 320 looks. */
const SHARE = 1 / 40

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
  const left = Math.ceil(audienceWait - waited)
  return { audience: 'absent', waitSeconds: Math.min(secondsUntilNextLook(waited, SHARE), left) }
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

export const handler = taskHandler('checkAudience', checkAudience)
