import type { Services } from '../../lib/services.ts'
import { rollOverParts } from '../../lib/show/run/watch/roll-over.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const rollOver = (input: TaskInput<'rollOver'>, services: Services) => rollOverParts(services, input)

export const handler = taskHandler('rollOver', rollOver)
