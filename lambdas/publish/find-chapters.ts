import { publishChapters } from '../../lib/publish/formats/chapters.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('findChapters', publishChapters)
