import type { Services } from '../../lib/services.ts'
import { createOrAdoptSession } from '../../lib/show/run/start/open-session.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const openSession = (input: TaskInput<'openSession'>, services: Services) =>
  createOrAdoptSession(services, input)

export const handler = taskHandler('openSession', openSession)
