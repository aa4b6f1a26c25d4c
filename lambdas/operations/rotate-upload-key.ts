import { runUploadKeyStep } from '../../lib/operations/upload-keys/rotate-upload-key.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { taskHandler } from '../middleware/task.ts'

export async function rotateUploadKey(
  input: TaskInput<'rotateUploadKey'>,
  services: Pick<
    Services,
    'accessKeys' | 'platform' | 'project' | 'secrets' | 'storageAs' | 'uploadKeyRotation' | 'variable' | 'clock'
  >,
  log: Pick<Log, 'info'>,
): Promise<TaskOutput<'rotateUploadKey'>> {
  return runUploadKeyStep(services, input, log)
}

export const handler = taskHandler('rotateUploadKey', rotateUploadKey)
