import { runProjectSecretStep } from '../../lib/operations/platform-project/rotate-project-secret.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function rotateProjectSecret(
  input: TaskInput<'rotateProjectSecret'>,
  services: Pick<
    Services,
    'account' | 'platformAs' | 'rotationLock' | 'projectSecretRotation' | 'records' | 'secrets' | 'clock'
  >,
): Promise<TaskOutput<'rotateProjectSecret'>> {
  return runProjectSecretStep(services, input)
}

export const handler = taskHandler('rotateProjectSecret', rotateProjectSecret)
