import { noteStarts } from '../../lib/show/run/start/go-live.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('goLive', noteStarts)
