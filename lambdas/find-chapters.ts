import { createHash } from 'node:crypto'
import { findBlack } from '../lib/media/chapters/find-black.ts'
import { findChapters as partIntoChapters, writeChapters } from '../lib/media/chapters/find-chapters.ts'
import { ffmpegVersion } from '../lib/media/ffmpeg.ts'
import { editionOf } from '../lib/services/editions.ts'
import type { Services } from '../lib/services/services.ts'
import { keys } from '../lib/workflow/keys.ts'
import { tagsFor } from '../lib/workflow/retention.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

export async function findChapters(
  { key, etag, archiveId, keepDays, duration, silences }: TaskInput<'findChapters'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'findChapters'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const source = await storage.open(key, etag)
  const blacks = await findBlack({ ffmpegPath, source })
  const chapters = partIntoChapters({ duration, silences, blacks })
  if (chapters.length === 0) return { files: [] }
  const edition = editionOf({ etag, recipe: { recipe: RECIPE, ffmpeg: await ffmpegVersion(ffmpegPath) } })
  const target = keys.published(archiveId, 'chapters', edition, 'chapters.vtt')
  const text = writeChapters(chapters)
  await storage.put(target, text, 'text/vtt', tagsFor(keepDays))
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { files: [{ role: 'chapters', key: target, size: Buffer.byteLength(text), sha256 }] }
}

export const handler = taskHandler('findChapters', findChapters)
