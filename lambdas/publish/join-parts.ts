import { publishJoined } from '../../lib/publish/joining/publish-joined.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const joinParts = (input: TaskInput<'joinParts'>, services: Services) => publishJoined(input, services)

export const handler = taskHandler('joinParts', joinParts)
