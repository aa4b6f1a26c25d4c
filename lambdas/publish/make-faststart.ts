import { publishFaststart } from '../../lib/publish/formats/faststart.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const makeFaststart = (input: TaskInput<'makeFaststart'>, services: Services) =>
  publishFaststart(input, services)

export const handler = taskHandler('makeFaststart', makeFaststart)
