import type { Services } from '../../lib/services.ts'
import { startScheduledShow } from '../../lib/show/run/start/start-scheduled.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const startShow = (input: TaskInput<'startShow'>, services: Services) => startScheduledShow(services, input)

export const handler = taskHandler('startShow', startShow)
