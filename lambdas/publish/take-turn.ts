import { takeTurn } from '../../lib/publish/queue/take-turn.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('takeTurn', takeTurn)
