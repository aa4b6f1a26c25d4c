import { encodeComposite } from '../../lib/publish/composite/composite-pieces.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('composePiece', encodeComposite)
