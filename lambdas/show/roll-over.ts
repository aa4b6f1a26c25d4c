import { rollOverParts } from '../../lib/show/run/watch/roll-over.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('rollOver', rollOverParts)
