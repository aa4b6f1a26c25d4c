import { startPublishing } from '../../lib/publish/start-publishing.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('startPublish', startPublishing)
