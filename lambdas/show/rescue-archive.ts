import type { Services } from '../../lib/services.ts'
import { fetchStrandedArchive } from '../../lib/show/run/finish/rescue-archive.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const rescueArchive = (input: TaskInput<'rescueArchive'>, services: Services) =>
  fetchStrandedArchive(services, input)

export const handler = taskHandler('rescueArchive', rescueArchive)
