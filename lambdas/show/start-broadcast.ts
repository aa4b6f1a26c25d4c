import { startBroadcastPart } from '../../lib/show/run/start/start-parts.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('startBroadcast', (services, input) =>
  startBroadcastPart(services, { ...input, part: 1 }),
)
