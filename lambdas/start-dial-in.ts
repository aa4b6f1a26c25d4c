import { dialIn } from '../lib/services/dialing.ts'
import type { Services } from '../lib/services/services.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export function startDialIn(input: TaskInput<'startDialIn'>, services: Services): Promise<TaskOutput<'startDialIn'>> {
  return dialIn(services, input)
}

export const handler = taskHandler('startDialIn', startDialIn)
