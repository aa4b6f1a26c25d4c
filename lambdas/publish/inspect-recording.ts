import { inspectArchive } from '../../lib/publish/inspect-archive.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('inspectRecording', inspectArchive)
