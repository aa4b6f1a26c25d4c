import { publishJoined } from '../../lib/publish/joining/publish-joined.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('joinParts', publishJoined)
