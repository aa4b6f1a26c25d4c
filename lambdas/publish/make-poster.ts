import { publishPoster } from '../../lib/publish/formats/poster.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('makePoster', publishPoster)
