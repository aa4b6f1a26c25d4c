import { report } from '../lib/services/reporting.ts'
import type { Services } from '../lib/services/services.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export const reportShow = (input: TaskInput<'reportShow'>, services: Services): Promise<TaskOutput<'reportShow'>> =>
  report(services, input)

export const handler = taskHandler('reportShow', reportShow)
