import { publishFaststart } from '../../lib/publish/formats/faststart.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('makeFaststart', publishFaststart)
