import { failClipsOfLost } from '../../lib/publish/clips/queued-clips.ts'
import { report } from '../../lib/show/run/finish/report.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('reportShow', async (services, input) => {
  const result = await report(services, input)
  await failClipsOfLost(result, services)
  return result
})
