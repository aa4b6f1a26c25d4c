import type { Services } from '../../lib/services.ts'
import { beginShow } from '../../lib/show/run/start/accept-show.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function acceptShow(
  input: TaskInput<'acceptShow'>,
  services: Pick<Services, 'records' | 'shows' | 'rotationLock' | 'clock'>,
): Promise<TaskOutput<'acceptShow'>> {
  return beginShow(services, input)
}

export const handler = taskHandler('acceptShow', acceptShow)
