import type { Services } from '../../lib/services.ts'
import { dialIn } from '../../lib/show/dial-ins/dial.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export function startDialIn(input: TaskInput<'startDialIn'>, services: Services): Promise<TaskOutput<'startDialIn'>> {
  return dialIn(services, input)
}

export const handler = taskHandler('startDialIn', startDialIn)
