import { runProjectSecretStep } from '../../lib/operations/platform-project/rotate-project-secret.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const rotateProjectSecret = (input: TaskInput<'rotateProjectSecret'>, services: Services) =>
  runProjectSecretStep(services, input)

export const handler = taskHandler('rotateProjectSecret', rotateProjectSecret)
