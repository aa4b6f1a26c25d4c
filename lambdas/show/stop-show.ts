import { stopShow } from '../../lib/show/run/stop/stop-show.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('stopShow', stopShow)
