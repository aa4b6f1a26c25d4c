import { ffmpegVersion } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { makePoster as choosePoster } from '../../lib/media/pictures/poster.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { publishFile } from '../../lib/publish/published-files.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

export async function makePoster(
  { key, etag, archiveId, keepDays }: TaskInput<'makePoster'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'makePoster'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const ffmpeg = await ffmpegVersion(ffmpegPath)
  const source = await storage.open(key, etag)
  return skipIfDamaged({ format: 'poster', what: 'poster', of: 'picture' }, { files: [], ffmpeg }, async () => {
    const poster = await choosePoster({ ffmpegPath, source })
    if (!poster) return { files: [], ffmpeg }
    const file = await publishFile(storage, {
      role: 'poster',
      key: keys.published(archiveId, 'poster', editionOf({ etag, recipe: { recipe: RECIPE, ffmpeg } }), 'poster.jpg'),
      content: poster.jpeg,
      contentType: 'image/jpeg',
      keepDays,
    })
    return { files: [file], ffmpeg }
  })
}

export const handler = taskHandler('makePoster', makePoster)
