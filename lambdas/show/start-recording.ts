import { startRecordingPart } from '../../lib/show/run/start/start-parts.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('startRecording', (input, services) =>
  startRecordingPart(services, { ...input, part: 1 }),
)
