import { publishChapters } from '../../lib/publish/formats/chapters.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const findChapters = (input: TaskInput<'findChapters'>, services: Services) => publishChapters(input, services)

export const handler = taskHandler('findChapters', findChapters)
