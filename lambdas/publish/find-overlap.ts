import { measureOverlap } from '../../lib/publish/joining/measure-overlap.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const findOverlap = (input: TaskInput<'findOverlap'>, services: Services) => measureOverlap(input, services)

export const handler = taskHandler('findOverlap', findOverlap)
