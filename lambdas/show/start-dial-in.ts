import type { Services } from '../../lib/services.ts'
import { dialIn } from '../../lib/show/dial-ins/dial.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const startDialIn = (input: TaskInput<'startDialIn'>, services: Services) => dialIn(services, input)

export const handler = taskHandler('startDialIn', startDialIn)
