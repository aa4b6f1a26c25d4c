import { createOrAdoptSession } from '../../lib/show/run/start/open-session.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('openSession', createOrAdoptSession)
