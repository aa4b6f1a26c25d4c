import { publishThumbnails } from '../../lib/publish/formats/thumbnails.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const makeThumbnails = (input: TaskInput<'makeThumbnails'>, services: Services) =>
  publishThumbnails(input, services)

export const handler = taskHandler('makeThumbnails', makeThumbnails)
