import { ffmpegVersion } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { encodePiece as encode } from '../../lib/media/hls/encode-piece.ts'
import { rungsBelow } from '../../lib/media/hls/ladder.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { storePiece } from '../../lib/publish/pieces.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 3

/** A piece of a recording that nothing in the ladder is smaller than is stored without tracks. */
export async function encodePiece(
  { key, etag, archiveId, keepDays, piece, picture, ladder }: TaskInput<'encodePiece'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'encodePiece'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const source = await storage.open(key, etag)
  const rungs = rungsBelow(picture, ladder)
  const ffmpeg = await ffmpegVersion(ffmpegPath)
  const recipe = { recipe: RECIPE, rungs: rungs.map((rung) => ({ ...rung })), ffmpeg }
  const edition = editionOf({ etag, recipe })
  const made = { index: piece.index, edition, ffmpeg }
  const making = { format: 'renditions', what: 'smaller sizes', of: 'picture', stretch: piece } as const
  return skipIfDamaged<TaskOutput<'encodePiece'>>(making, made, async () => {
    await storePiece(
      storage,
      { archiveId, format: 'renditions', edition },
      {
        index: piece.index,
        keepDays,
        make: (take) => encode(source, piece, rungs, take, { ffmpegPath }),
      },
    )
    return made
  })
}

export const handler = taskHandler('encodePiece', encodePiece)
