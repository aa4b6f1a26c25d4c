import { publishHlsPiece } from '../../lib/publish/formats/pieces.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const cutPiece = (input: TaskInput<'cutPiece'>, services: Services) => publishHlsPiece(input, services)

export const handler = taskHandler('cutPiece', cutPiece)
