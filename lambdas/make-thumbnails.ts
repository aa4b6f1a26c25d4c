import { ffmpegVersion } from '../lib/media/ffmpeg-build.ts'
import { makeThumbnails as drawThumbnails } from '../lib/media/thumbnails/thumbnails.ts'
import { editionOf } from '../lib/services/editions.ts'
import { publishFile } from '../lib/services/published-files.ts'
import type { Services } from '../lib/services/services.ts'
import { keys } from '../lib/workflow/keys.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { unlessDamaged } from './making/unless-damaged.ts'
import { taskHandler } from './middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

export async function makeThumbnails(
  { key, etag, archiveId, keepDays }: TaskInput<'makeThumbnails'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'makeThumbnails'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const ffmpeg = await ffmpegVersion(ffmpegPath)
  const edition = editionOf({ etag, recipe: { recipe: RECIPE, ffmpeg } })
  const source = await storage.open(key, etag)
  return unlessDamaged({ format: 'thumbnails', what: 'thumbnails', of: 'picture' }, { files: [], ffmpeg }, async () => {
    const files: TaskOutput<'makeThumbnails'>['files'] = []
    for await (const { role, name, contentType, bytes } of drawThumbnails({ ffmpegPath, source })) {
      const target = keys.published(archiveId, 'thumbnails', edition, name)
      files.push(await publishFile(storage, { role, key: target, content: bytes, contentType, keepDays }))
    }
    return { files, ffmpeg }
  })
}

export const handler = taskHandler('makeThumbnails', makeThumbnails)
