import type { Services } from '../../lib/services.ts'
import { noteStarts } from '../../lib/show/run/start/go-live.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function goLive(
  input: TaskInput<'goLive'>,
  services: Pick<Services, 'shows' | 'platform'>,
): Promise<TaskOutput<'goLive'>> {
  return noteStarts(services, input)
}

export const handler = taskHandler('goLive', goLive)
