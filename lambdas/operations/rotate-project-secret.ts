import { runProjectSecretStep } from '../../lib/operations/platform-project/rotate-project-secret.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('rotateProjectSecret', runProjectSecretStep)
