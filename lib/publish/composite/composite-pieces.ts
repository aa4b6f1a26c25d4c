import { encodeCompositePiece } from '../../media/composite/encode-composite-piece.ts'
import { mixAudio } from '../../media/composite/mix-audio.ts'
import { frameAt } from '../../media/composite/plan-composite.ts'
import type { Services } from '../../services.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { tagsFor } from '../manifest/retention.ts'
import { asMediaError } from '../skip-damaged.ts'
import { compositeEdition, compositeKeys, openComposite } from './open-composite.ts'

type Reach = Pick<Services, 'storage' | 'variable'>

/**
 * Encodes one piece of a composite's video.
 * @throws {@link MediaError} when a stream cannot be decoded
 */
export async function encodeComposite(
  { archiveId, keepDays, piece, ...source }: TaskInput<'composePiece'>,
  { storage, variable }: Reach,
): Promise<TaskOutput<'composePiece'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const { archive, plan } = await openComposite(source, storage)
  const edition = await compositeEdition(source.etag, ffmpegPath)
  const frames = { start: frameAt(piece.start), end: Math.min(frameAt(piece.end), plan.frames) }
  const target = compositeKeys(archiveId, edition).piece(piece.index)
  await asMediaError({ of: 'picture', stretch: piece }, () => {
    const bytes = encodeCompositePiece(archive, plan, frames, { ffmpegPath })
    return storage.putStream(target, bytes, 'video/mp4', tagsFor(keepDays))
  })
  return { index: piece.index, edition }
}

/**
 * Mixes the audio of all streams of an individual archive; stores nothing where no stream has audio.
 * @throws {@link MediaError} when a stream cannot be decoded
 */
export async function mixCompositeAudio(
  { archiveId, keepDays, ...source }: TaskInput<'mixAudio'>,
  { storage, variable }: Reach,
): Promise<TaskOutput<'mixAudio'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const { archive, plan } = await openComposite(source, storage)
  const edition = await compositeEdition(source.etag, ffmpegPath)
  const hasAudio = plan.voices.length > 0
  if (hasAudio)
    await asMediaError({ of: 'audio' }, () => {
      const bytes = mixAudio(archive, plan, { ffmpegPath })
      return storage.putStream(compositeKeys(archiveId, edition).audio, bytes, 'audio/mp4', tagsFor(keepDays))
    })
  return { hasAudio, edition }
}
