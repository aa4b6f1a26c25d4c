import type { Services } from '../../lib/services.ts'
import { noteStarts } from '../../lib/show/run/start/go-live.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const goLive = (input: TaskInput<'goLive'>, services: Services) => noteStarts(services, input)

export const handler = taskHandler('goLive', goLive)
