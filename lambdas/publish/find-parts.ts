import { findPublishedParts } from '../../lib/publish/joining/find-published-parts.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('findParts', findPublishedParts)
