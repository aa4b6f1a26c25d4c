import type { Services } from '../../lib/services.ts'
import { pollUploads } from '../../lib/show/run/finish/check-uploads.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const checkUploads = (input: TaskInput<'checkUploads'>, services: Services) => pollUploads(services, input)

export const handler = taskHandler('checkUploads', checkUploads)
