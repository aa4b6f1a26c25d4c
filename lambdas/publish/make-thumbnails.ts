import { publishThumbnails } from '../../lib/publish/formats/thumbnails.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('makeThumbnails', publishThumbnails)
