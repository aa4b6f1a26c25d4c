import { publishPoster } from '../../lib/publish/formats/poster.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const makePoster = (input: TaskInput<'makePoster'>, services: Services) => publishPoster(input, services)

export const handler = taskHandler('makePoster', makePoster)
