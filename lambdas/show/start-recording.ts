import { startRecordingPart } from '../../lib/show/run/start/start-parts.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('startRecording', (services, input) =>
  startRecordingPart(services, { ...input, part: 1 }),
)
