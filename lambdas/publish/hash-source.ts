import { hashFaststart } from '../../lib/media/faststart/hash-faststart.ts'
import { planFaststart } from '../../lib/media/faststart/plan-faststart.ts'
import { MediaError } from '../../lib/media/media-error.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function hashSource(
  { key, etag }: TaskInput<'hashSource'>,
  { storage }: Services,
): Promise<TaskOutput<'hashSource'>> {
  const source = await storage.open(key, etag)
  const plan = await planFaststart(source).catch((error: unknown) => {
    if (error instanceof MediaError) return undefined // what is no whole MP4 has a checksum all the same
    throw error
  })
  return hashFaststart(await source.stream(), plan)
}

export const handler = taskHandler('hashSource', hashSource)
