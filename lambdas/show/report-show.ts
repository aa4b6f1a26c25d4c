import type { Services } from '../../lib/services.ts'
import { report } from '../../lib/show/run/finish/report.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const reportShow = (input: TaskInput<'reportShow'>, services: Services) => report(services, input)

export const handler = taskHandler('reportShow', reportShow)
