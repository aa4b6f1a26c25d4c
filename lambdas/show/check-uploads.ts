import type { Services } from '../../lib/services.ts'
import { pollUploads } from '../../lib/show/run/finish/check-uploads.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function checkUploads(
  input: TaskInput<'checkUploads'>,
  services: Pick<Services, 'shows' | 'platform' | 'storage' | 'clock'>,
): Promise<TaskOutput<'checkUploads'>> {
  return pollUploads(services, input)
}

export const handler = taskHandler('checkUploads', checkUploads)
