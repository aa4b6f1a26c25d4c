import { observeShow } from '../../lib/show/run/watch/watch-show.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('watchShow', observeShow)
