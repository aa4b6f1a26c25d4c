import { aimUploads } from '../../lib/operations/upload-keys/upload-target.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function setUploadTarget(
  { showId }: TaskInput<'setUploadTarget'>,
  services: Pick<Services, 'platform' | 'secrets' | 'shows' | 'variable'>,
): Promise<TaskOutput<'setUploadTarget'>> {
  await aimUploads(services)
  await services.shows.note(showId, { what: 'upload.targetSet' })
  return { bucket: services.variable('BUCKET'), fallback: 'opentok' }
}

export const handler = taskHandler('setUploadTarget', setUploadTarget)
