import { createHash } from 'node:crypto'
import { makePoster as choosePoster } from '../lib/media/poster.ts'
import type { Services } from '../lib/services/services.ts'
import { keys } from '../lib/workflow/keys.ts'
import { tagsFor } from '../lib/workflow/retention.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function makePoster(
  { key, etag, archiveId, keepDays }: TaskInput<'makePoster'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'makePoster'>> {
  const source = await storage.open(key, etag)
  const poster = await choosePoster({ ffmpegPath: variable('FFMPEG_PATH'), source })
  if (!poster) return { files: [] }
  const { jpeg } = poster
  await storage.put(keys.poster(archiveId), jpeg, 'image/jpeg', tagsFor(keepDays))
  const sha256 = createHash('sha256').update(jpeg).digest('hex')
  return { files: [{ role: 'poster', key: keys.poster(archiveId), size: jpeg.length, sha256 }] }
}

export const handler = taskHandler('makePoster', makePoster)
