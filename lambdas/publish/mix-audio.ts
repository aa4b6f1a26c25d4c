import { mixCompositeAudio } from '../../lib/publish/composite.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('mixAudio', mixCompositeAudio)
