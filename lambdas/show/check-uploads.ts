import { pollUploads } from '../../lib/show/run/finish/check-uploads.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('checkUploads', pollUploads)
