import { startScheduledShow } from '../../lib/show/run/start/start-scheduled.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('startShow', startScheduledShow)
