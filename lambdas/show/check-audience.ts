import { pollAudience } from '../../lib/show/run/start/check-audience.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('checkAudience', pollAudience)
