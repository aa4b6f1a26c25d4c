import type { Services } from '../../lib/services.ts'
import { report } from '../../lib/show/run/finish/report.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export const reportShow = (input: TaskInput<'reportShow'>, services: Services): Promise<TaskOutput<'reportShow'>> =>
  report(services, input)

export const handler = taskHandler('reportShow', reportShow)
