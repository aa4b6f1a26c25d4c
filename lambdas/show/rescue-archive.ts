import { fetchStrandedArchive } from '../../lib/show/run/finish/rescue-archive.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('rescueArchive', fetchStrandedArchive)
