import type { Services } from '../../lib/services.ts'
import { beginShow } from '../../lib/show/run/start/accept-show.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const acceptShow = (input: TaskInput<'acceptShow'>, services: Services) => beginShow(services, input)

export const handler = taskHandler('acceptShow', acceptShow)
