import type { Services } from '../lib/services/services.ts'
import { startRecordingPart } from '../lib/services/starting.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export function startRecording(
  input: TaskInput<'startRecording'>,
  services: Services,
): Promise<TaskOutput<'startRecording'>> {
  return startRecordingPart(services, { ...input, part: 1 })
}

export const handler = taskHandler('startRecording', startRecording)
