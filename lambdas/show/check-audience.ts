import type { Services } from '../../lib/services.ts'
import { pollAudience } from '../../lib/show/run/start/check-audience.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const checkAudience = (input: TaskInput<'checkAudience'>, services: Services) => pollAudience(services, input)

export const handler = taskHandler('checkAudience', checkAudience)
