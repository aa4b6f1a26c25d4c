import { publishChapters } from '../../lib/publish/formats/pictures.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('findChapters', publishChapters)
