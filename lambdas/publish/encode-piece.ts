import { publishRenditionPiece } from '../../lib/publish/formats/pieces.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const encodePiece = (input: TaskInput<'encodePiece'>, services: Services) =>
  publishRenditionPiece(input, services)

export const handler = taskHandler('encodePiece', encodePiece)
