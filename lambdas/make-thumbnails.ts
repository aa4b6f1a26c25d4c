import { createHash } from 'node:crypto'
import { ffmpegVersion } from '../lib/media/ffmpeg.ts'
import { makeThumbnails as drawThumbnails } from '../lib/media/thumbnails/thumbnails.ts'
import { editionOf } from '../lib/services/editions.ts'
import type { Services } from '../lib/services/services.ts'
import { keys } from '../lib/workflow/keys.ts'
import { tagsFor } from '../lib/workflow/retention.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

export async function makeThumbnails(
  { key, etag, archiveId, keepDays }: TaskInput<'makeThumbnails'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'makeThumbnails'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const source = await storage.open(key, etag)
  const edition = editionOf({ etag, recipe: { recipe: RECIPE, ffmpeg: await ffmpegVersion(ffmpegPath) } })
  const files: TaskOutput<'makeThumbnails'>['files'] = []
  for await (const { role, name, contentType, bytes } of drawThumbnails({ ffmpegPath, source })) {
    const target = keys.published(archiveId, 'thumbnails', edition, name)
    await storage.put(target, bytes, contentType, tagsFor(keepDays))
    files.push({ role, key: target, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  }
  return { files }
}

export const handler = taskHandler('makeThumbnails', makeThumbnails)
