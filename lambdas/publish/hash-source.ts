import { hashSourceAndCopy } from '../../lib/publish/formats/faststart.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const hashSource = (input: TaskInput<'hashSource'>, services: Services) => hashSourceAndCopy(input, services)

export const handler = taskHandler('hashSource', hashSource)
