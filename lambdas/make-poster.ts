import { ffmpegVersion } from '../lib/media/ffmpeg-build.ts'
import { makePoster as choosePoster } from '../lib/media/poster.ts'
import { editionOf } from '../lib/services/editions.ts'
import { publishFile } from '../lib/services/published-files.ts'
import type { Services } from '../lib/services/services.ts'
import { keys } from '../lib/workflow/keys.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { unlessDamaged } from './making/unless-damaged.ts'
import { taskHandler } from './middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

export async function makePoster(
  { key, etag, archiveId, keepDays }: TaskInput<'makePoster'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'makePoster'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const ffmpeg = await ffmpegVersion(ffmpegPath)
  const source = await storage.open(key, etag)
  return unlessDamaged({ format: 'poster', what: 'poster', of: 'picture' }, { files: [], ffmpeg }, async () => {
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
