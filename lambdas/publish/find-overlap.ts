import { measureOverlap } from '../../lib/publish/joining/measure-overlap.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('findOverlap', measureOverlap)
