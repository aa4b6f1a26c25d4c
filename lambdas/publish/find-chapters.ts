import { findBlack } from '../../lib/media/chapters/find-black.ts'
import { findChapters as partIntoChapters, writeChapters } from '../../lib/media/chapters/find-chapters.ts'
import { ffmpegVersion } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { publishFile } from '../../lib/publish/published-files.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

export async function findChapters(
  { key, etag, archiveId, keepDays, duration, silences }: TaskInput<'findChapters'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'findChapters'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const ffmpeg = await ffmpegVersion(ffmpegPath)
  const source = await storage.open(key, etag)
  return skipIfDamaged({ format: 'chapters', what: 'chapters', of: 'picture' }, { files: [], ffmpeg }, async () => {
    const blacks = await findBlack({ ffmpegPath, source })
    const chapters = partIntoChapters({ duration, silences, blacks })
    if (chapters.length === 0) return { files: [], ffmpeg }
    const recipe = { recipe: RECIPE, ffmpeg, duration, silences }
    const edition = editionOf({ etag, recipe })
    const file = await publishFile(storage, {
      role: 'chapters',
      key: keys.published(archiveId, 'chapters', edition, 'chapters.vtt'),
      content: writeChapters(chapters),
      contentType: 'text/vtt',
      keepDays,
    })
    return { files: [file], ffmpeg }
  })
}

export const handler = taskHandler('findChapters', findChapters)
