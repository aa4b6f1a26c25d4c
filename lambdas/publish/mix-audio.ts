import { mixCompositeAudio } from '../../lib/publish/composite/composite-pieces.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('mixAudio', mixCompositeAudio)
