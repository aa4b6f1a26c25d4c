import { publishComposite } from '../../lib/publish/composite/publish-composite.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const assembleComposite = (input: TaskInput<'assembleComposite'>, services: Services) =>
  publishComposite(input, services)

export const handler = taskHandler('assembleComposite', assembleComposite)
