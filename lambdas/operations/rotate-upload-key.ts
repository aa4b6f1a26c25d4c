import { runUploadKeyStep } from '../../lib/operations/upload-keys/rotate-upload-key.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('rotateUploadKey', runUploadKeyStep)
