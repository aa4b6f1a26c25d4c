import type { Services } from '../../lib/services.ts'
import { startBroadcastPart } from '../../lib/show/run/start/start-parts.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const startBroadcast = (input: TaskInput<'startBroadcast'>, services: Services) =>
  startBroadcastPart(services, { ...input, part: 1 })

export const handler = taskHandler('startBroadcast', startBroadcast)
