import type { Services } from '../lib/services/services.ts'
import { startBroadcastPart } from '../lib/services/starting.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export function startBroadcast(
  input: TaskInput<'startBroadcast'>,
  services: Services,
): Promise<TaskOutput<'startBroadcast'>> {
  return startBroadcastPart(services, { ...input, part: 1 })
}

export const handler = taskHandler('startBroadcast', startBroadcast)
