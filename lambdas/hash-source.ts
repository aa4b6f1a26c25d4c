import { createHash } from 'node:crypto'
import type { Services } from '../lib/services/services.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function hashSource(
  { key, etag }: TaskInput<'hashSource'>,
  { storage }: Services,
): Promise<TaskOutput<'hashSource'>> {
  const hash = createHash('sha256')
  const source = await storage.open(key, etag)
  for await (const chunk of await source.stream()) hash.update(chunk)
  return { sha256: hash.digest('hex') }
}

export const handler = taskHandler('hashSource', hashSource)
