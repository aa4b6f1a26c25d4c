import { encodeComposite } from '../../lib/publish/composite/composite-pieces.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const composePiece = (input: TaskInput<'composePiece'>, services: Services) => encodeComposite(input, services)

export const handler = taskHandler('composePiece', composePiece)
