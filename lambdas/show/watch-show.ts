import type { Services } from '../../lib/services.ts'
import { pollShow } from '../../lib/show/run/watch/watch-show.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const watchShow = (input: TaskInput<'watchShow'>, services: Services) => pollShow(services, input)

export const handler = taskHandler('watchShow', watchShow)
