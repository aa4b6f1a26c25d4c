import { mixCompositeAudio } from '../../lib/publish/composite/composite-pieces.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const mixAudio = (input: TaskInput<'mixAudio'>, services: Services) => mixCompositeAudio(input, services)

export const handler = taskHandler('mixAudio', mixAudio)
