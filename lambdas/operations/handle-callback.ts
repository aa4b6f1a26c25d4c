import { handlePlatformEvent } from '../../lib/operations/platform-callbacks/handle-event.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('handleCallback', handlePlatformEvent)
