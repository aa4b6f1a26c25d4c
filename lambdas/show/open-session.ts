import type { Services } from '../../lib/services.ts'
import { createOrAdoptSession } from '../../lib/show/run/start/open-session.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function openSession(
  input: TaskInput<'openSession'>,
  services: Pick<Services, 'shows' | 'platform' | 'project'>,
): Promise<TaskOutput<'openSession'>> {
  return createOrAdoptSession(services, input)
}

export const handler = taskHandler('openSession', openSession)
