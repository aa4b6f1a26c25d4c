import type { Services } from '../lib/services/services.ts'
import { parseArchiveKey } from '../lib/workflow/keys.ts'
import { publishExecutionName } from '../lib/workflow/names.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function startPublish(
  { detail }: TaskInput<'startPublish'>,
  { publishExecutions }: Services,
): Promise<TaskOutput<'startPublish'>> {
  const { key, etag } = detail.object
  const archive = parseArchiveKey(key)
  if (!archive) return { outcome: 'not an archive', executionName: '' }
  const executionName = publishExecutionName(archive.archiveId, etag)
  const input = { bucket: detail.bucket.name, key, etag }
  if ((await publishExecutions.start(executionName, input)) === 'started') return { outcome: 'started', executionName }
  const redriven = await publishExecutions.redrive(executionName)
  return { outcome: redriven ? 'redriven' : 'running or done', executionName }
}

export const handler = taskHandler('startPublish', startPublish)
