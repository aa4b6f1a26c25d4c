import type { Services } from '../../lib/services.ts'
import { fetchStrandedArchive } from '../../lib/show/run/finish/rescue-archive.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function rescueArchive(
  input: TaskInput<'rescueArchive'>,
  services: Pick<Services, 'platform' | 'storage' | 'shows' | 'download'>,
): Promise<TaskOutput<'rescueArchive'>> {
  return fetchStrandedArchive(services, input)
}

export const handler = taskHandler('rescueArchive', rescueArchive)
