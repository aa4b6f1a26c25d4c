import { findPublishedParts } from '../../lib/publish/joining/find-published-parts.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const findParts = (input: TaskInput<'findParts'>, services: Services) => findPublishedParts(input, services)

export const handler = taskHandler('findParts', findParts)
