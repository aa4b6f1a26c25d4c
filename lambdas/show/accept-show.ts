import { beginShow } from '../../lib/show/run/start/accept-show.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('acceptShow', beginShow)
