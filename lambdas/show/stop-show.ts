import type { Services } from '../../lib/services.ts'
import { endShow } from '../../lib/show/run/stop/stop-show.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function stopShow(
  input: TaskInput<'stopShow'>,
  services: Pick<Services, 'shows' | 'platform' | 'clock'>,
): Promise<TaskOutput<'stopShow'>> {
  return endShow(services, input)
}

export const handler = taskHandler('stopShow', stopShow)
