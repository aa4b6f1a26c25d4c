import { publishManifest } from '../../lib/publish/publish-manifest.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { taskHandler } from '../middleware/task.ts'

export const writeManifest = (input: TaskInput<'writeManifest'>, services: Services, log: Log) =>
  publishManifest(input, services, log)

export const handler = taskHandler('writeManifest', writeManifest)
