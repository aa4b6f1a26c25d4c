import { report } from '../../lib/show/run/finish/report.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('reportShow', report)
