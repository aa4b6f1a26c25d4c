import type { Services } from '../../lib/services.ts'
import { pollShow } from '../../lib/show/run/watch/watch-show.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function watchShow(
  input: TaskInput<'watchShow'>,
  services: Pick<Services, 'platform' | 'shows' | 'clock'>,
): Promise<TaskOutput<'watchShow'>> {
  return pollShow(services, input)
}

export const handler = taskHandler('watchShow', watchShow)
