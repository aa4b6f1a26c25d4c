import type { Services } from '../../lib/services.ts'
import { pollAudience } from '../../lib/show/run/start/check-audience.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function checkAudience(
  input: TaskInput<'checkAudience'>,
  services: Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock'>,
): Promise<TaskOutput<'checkAudience'>> {
  return pollAudience(services, input)
}

export const handler = taskHandler('checkAudience', checkAudience)
