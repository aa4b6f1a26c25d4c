import { inspectArchive } from '../../lib/publish/inspection/inspect-archive.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const inspectRecording = (input: TaskInput<'inspectRecording'>, services: Services) =>
  inspectArchive(input, services)

export const handler = taskHandler('inspectRecording', inspectRecording)
