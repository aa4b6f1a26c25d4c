import { cutPiece as cut } from '../../lib/media/hls/cut-piece.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { storePiece } from '../../lib/publish/pieces.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 3

export async function cutPiece(
  { key, etag, archiveId, keepDays, piece }: TaskInput<'cutPiece'>,
  { storage }: Services,
): Promise<TaskOutput<'cutPiece'>> {
  const source = await storage.open(key, etag)
  const edition = editionOf({ etag, recipe: RECIPE })
  const made = { index: piece.index, edition }
  const making = { format: 'hls', what: 'HLS', of: 'recording', stretch: piece } as const
  return skipIfDamaged<TaskOutput<'cutPiece'>>(making, made, async () => {
    await storePiece(
      storage,
      { archiveId, format: 'hls', edition },
      {
        index: piece.index,
        keepDays,
        make: async (take) => {
          const { video, audio } = await cut(source, piece, take)
          return [...(video ? [{ name: 'video', ...video }] : []), ...(audio ? [{ name: 'audio', ...audio }] : [])]
        },
      },
    )
    return made
  })
}

export const handler = taskHandler('cutPiece', cutPiece)
