import { encodeCompositePiece } from '../../lib/media/composite/encode-composite-piece.ts'
import { frameAt } from '../../lib/media/composite/plan-composite.ts'
import { tagsFor } from '../../lib/publish/manifest/retention.ts'
import { compositeEdition, compositeKeys, openComposite } from '../../lib/publish/open-composite.ts'
import { asMediaError } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function composePiece(
  { key, etag, archiveId, keepDays, piece }: TaskInput<'composePiece'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'composePiece'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const { archive, plan } = await openComposite({ key, etag }, { storage })
  const edition = await compositeEdition(etag, ffmpegPath)
  const frames = { start: frameAt(piece.start), end: Math.min(frameAt(piece.end), plan.frames) }
  const target = compositeKeys(archiveId, edition).piece(piece.index)
  await asMediaError({ of: 'picture', stretch: piece }, () => {
    const bytes = encodeCompositePiece(archive, plan, frames, { ffmpegPath })
    return storage.putStream(target, bytes, 'video/mp4', tagsFor(keepDays))
  })
  return { index: piece.index, edition }
}

export const handler = taskHandler('composePiece', composePiece)
