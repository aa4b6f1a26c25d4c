import type { Services } from '../../lib/services.ts'
import { startRecordingPart } from '../../lib/show/run/start/start-parts.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const startRecording = (input: TaskInput<'startRecording'>, services: Services) =>
  startRecordingPart(services, { ...input, part: 1 })

export const handler = taskHandler('startRecording', startRecording)
