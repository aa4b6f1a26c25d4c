import { cutPiece } from '../../media/hls/cut-piece.ts'
import { encodePiece } from '../../media/hls/encode-piece.ts'
import { renditionsBelow } from '../../media/hls/ladder.ts'
import type { TaskRun } from '../../services.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import { mediaOf } from '../media-functions.ts'
import { storePiece } from '../pieces.ts'
import { openFfmpegTask, openTask } from '../publish-task.ts'
import { skipIfDamaged } from '../skip-damaged.ts'

/** Publishes one piece of the HLS form of a recording, without encoding it again. */
export const publishHlsPiece: TaskRun<'cutPiece'> = async (services, input) => {
  const { archiveId, keepDays, piece } = input
  const { index } = piece
  const { source, edition } = await openTask(input, services, { folder: 'hls', version: 3 })
  const made = { index, edition }
  const making = { format: 'hls', what: 'HLS', of: 'recording', stretch: piece } as const
  return skipIfDamaged<TaskOutput<'cutPiece'>>(making, made, async () => {
    await storePiece(
      services.storage,
      { archiveId, format: 'hls', edition },
      {
        index,
        keepDays,
        make: async (take) => {
          const { video, audio } = await mediaOf(services, { cutPiece }).cutPiece(source, piece, take)
          return [...(video ? [{ name: 'video', ...video }] : []), ...(audio ? [{ name: 'audio', ...audio }] : [])]
        },
      },
    )
    return made
  })
}

/** Publishes one piece of the renditions. Where the ladder has none that is smaller than the recording, it has no tracks. */
export const publishRenditionPiece: TaskRun<'encodePiece'> = async (services, input) => {
  const { archiveId, keepDays, piece, picture, ladder } = input
  const { index } = piece
  const renditions = renditionsBelow(picture, ladder)
  // The name `rungs` is part of the edition's hash: another one would encode every recording again.
  const recipe = { folder: 'renditions', version: 3, parameters: { rungs: renditions.map((one) => ({ ...one })) } }
  const { source, edition, ffmpegPath, ffmpeg } = await openFfmpegTask(input, services, recipe)
  const made = { index, edition, ffmpeg }
  const making = { format: 'renditions', what: 'smaller sizes', of: 'picture', stretch: piece } as const
  return skipIfDamaged<TaskOutput<'encodePiece'>>(making, made, async () => {
    await storePiece(
      services.storage,
      { archiveId, format: 'renditions', edition },
      {
        index,
        keepDays,
        make: (take) => mediaOf(services, { encodePiece }).encodePiece(source, piece, renditions, take, { ffmpegPath }),
      },
    )
    return made
  })
}
