import { handlePlatformEvent } from '../../lib/operations/platform-callbacks/handle-event.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const handleCallback = (input: TaskInput<'handleCallback'>, services: Services) =>
  handlePlatformEvent(services, input)

export const handler = taskHandler('handleCallback', handleCallback)
