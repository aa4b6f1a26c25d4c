import { publishHlsPiece } from '../../lib/publish/formats/pieces.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('cutPiece', publishHlsPiece)
