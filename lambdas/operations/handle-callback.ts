import { handlePlatformEvent } from '../../lib/operations/platform-callbacks/handle-event.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function handleCallback(
  input: TaskInput<'handleCallback'>,
  services: Pick<Services, 'platform' | 'storage' | 'platformEvents' | 'records' | 'shows' | 'showSecrets' | 'clock'>,
): Promise<TaskOutput<'handleCallback'>> {
  return handlePlatformEvent(services, input)
}

export const handler = taskHandler('handleCallback', handleCallback)
