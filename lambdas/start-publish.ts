import type { Services } from '../lib/services/services.ts'
import { parseArchiveKey } from '../lib/workflow/keys.ts'
import { publishExecutionName } from '../lib/workflow/names.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

/** Of one arrival; who wants more asks for a rebuild. */
const MOST_ATTEMPTS = 9

/**
 * An event that comes again after its execution has failed starts another. Step Functions' own redrive would not do: it resumes
 * where the execution failed, which is the state that says so, once what went wrong stands in the manifest.
 */
export async function startPublish(
  { detail }: TaskInput<'startPublish'>,
  { publishExecutions }: Services,
): Promise<TaskOutput<'startPublish'>> {
  const { key, etag } = detail.object
  const archive = parseArchiveKey(key)
  if (!archive) return { outcome: 'not an archive', executionName: '' }
  const nameOf = (attempt: number) => publishExecutionName(archive.archiveId, etag, attempt)
  const input = { bucket: detail.bucket.name, key, etag }
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const executionName = nameOf(attempt)
    if ((await publishExecutions.start(executionName, input)) === 'started')
      return { outcome: attempt === 1 ? 'started' : 'started again', executionName }
    const standing = await publishExecutions.describe(executionName)
    if (standing.status !== 'over' || standing.hasSucceeded) return { outcome: 'running or done', executionName }
  }
  return { outcome: 'given up', executionName: nameOf(MOST_ATTEMPTS) }
}

export const handler = taskHandler('startPublish', startPublish)
