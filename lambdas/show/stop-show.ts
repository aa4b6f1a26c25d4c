import type { Services } from '../../lib/services.ts'
import { endShow } from '../../lib/show/run/stop/stop-show.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const stopShow = (input: TaskInput<'stopShow'>, services: Services) => endShow(services, input)

export const handler = taskHandler('stopShow', stopShow)
