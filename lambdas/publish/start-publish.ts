import { startPublishing } from '../../lib/publish/start-publishing.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { taskHandler } from '../middleware/task.ts'

export const startPublish = (input: TaskInput<'startPublish'>, services: Services, log: Log) =>
  startPublishing(input, services, log)

export const handler = taskHandler('startPublish', startPublish)
