import { publishComposite } from '../../lib/publish/composite.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('assembleComposite', publishComposite)
