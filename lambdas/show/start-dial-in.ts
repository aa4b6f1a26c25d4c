import { dialIn } from '../../lib/show/dial-ins/dial.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('startDialIn', dialIn)
