import { runUploadKeyStep } from '../../lib/operations/upload-keys/rotate-upload-key.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { taskHandler } from '../middleware/task.ts'

export const rotateUploadKey = (input: TaskInput<'rotateUploadKey'>, services: Services, log: Log) =>
  runUploadKeyStep(services, input, log)

export const handler = taskHandler('rotateUploadKey', rotateUploadKey)
