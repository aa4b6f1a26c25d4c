import type { Services } from '../../lib/services.ts'
import { startRecordingPart } from '../../lib/show/run/start/start-parts.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export function startRecording(
  input: TaskInput<'startRecording'>,
  services: Services,
): Promise<TaskOutput<'startRecording'>> {
  return startRecordingPart(services, { ...input, part: 1 })
}

export const handler = taskHandler('startRecording', startRecording)
