import { ffmpegVersion } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { makeThumbnails as drawThumbnails } from '../../lib/media/pictures/thumbnails.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { publishFile } from '../../lib/publish/published-files.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

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
  return skipIfDamaged({ format: 'thumbnails', what: 'thumbnails', of: 'picture' }, { files: [], ffmpeg }, async () => {
    const files: TaskOutput<'makeThumbnails'>['files'] = []
    for await (const { role, name, contentType, bytes } of drawThumbnails({ ffmpegPath, source })) {
      const target = keys.published(archiveId, 'thumbnails', edition, name)
      files.push(await publishFile(storage, { role, key: target, content: bytes, contentType, keepDays }))
    }
    return { files, ffmpeg }
  })
}

export const handler = taskHandler('makeThumbnails', makeThumbnails)
