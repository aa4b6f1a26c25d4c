import type { Services } from '../../lib/services.ts'
import { startScheduledShow } from '../../lib/show/run/start/start-scheduled.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function startShow(
  input: TaskInput<'startShow'>,
  services: Pick<Services, 'records' | 'showExecutions' | 'clock'>,
): Promise<TaskOutput<'startShow'>> {
  return startScheduledShow(services, input)
}

export const handler = taskHandler('startShow', startShow)
