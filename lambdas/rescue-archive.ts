import type { Services } from '../lib/services/services.ts'
import { ServiceError, TaskInputError } from '../lib/workflow/errors.ts'
import { keys } from '../lib/workflow/keys.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function rescueArchive(
  { showId, name, archiveId }: TaskInput<'rescueArchive'>,
  { platform, storage, records, download }: Services,
): Promise<TaskOutput<'rescueArchive'>> {
  const archive = await (await platform()).getArchive({ archiveId }) // a fresh URL: each works for ten minutes
  const { size, url, status, projectId } = archive
  const key = keys.archive(projectId, archiveId)
  if ((await storage.sizeOf(key)) !== size) {
    if (!url) throw new TaskInputError(`The archive ${archiveId} cannot be fetched: it is ${status}.`)
    await storage.putStream(key, await download(url))
    const stored = await storage.sizeOf(key)
    if (stored !== size)
      throw new ServiceError(`Of ${size} bytes of the archive ${archiveId} only ${stored} were fetched.`)
  }
  await records.note(showId, { what: 'recording.rescued', name })
  return { name, size }
}

export const handler = taskHandler('rescueArchive', rescueArchive)
