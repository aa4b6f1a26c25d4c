import type { Storage, StoredObject } from '../aws/storage/storage.ts'
import { assembleComposite } from '../media/composite/assemble-composite.ts'
import { encodeCompositePiece, planCompositePieces } from '../media/composite/encode-composite-piece.ts'
import { mixAudio } from '../media/composite/mix-audio.ts'
import {
  type CompositePlan,
  compositeFrameAt,
  FRAMES_PER_SECOND,
  planComposite,
} from '../media/composite/plan-composite.ts'
import { ffmpegVersion } from '../media/ffmpeg/ffmpeg-build.ts'
import { type IndividualArchive, openIndividualArchive } from '../media/individual/individual-archive.ts'
import type { Services, TaskRun } from '../services.ts'
import { keys } from '../show/state/keys.ts'
import { TaskInputError } from '../tasks/errors.ts'
import { editionOf } from './editions.ts'
import { tagsFor } from './manifest/manifest.ts'
import { mediaOf, type WithMedia } from './media-functions.ts'
import { asMediaError } from './skip-damaged.ts'

type Reach = Pick<Services, 'storage' | 'variable' | 'media'>

/** Encodes one piece of a composite's video. @throws {@link MediaError} when a stream cannot be decoded */
export const encodeComposite: TaskRun<'composePiece', keyof Reach> = async (
  services,
  { archiveId, keepDays, piece, ...source },
) => {
  const { storage } = services
  const ffmpegPath = services.variable('FFMPEG_PATH')
  const { archive, plan } = await openComposite(source, storage)
  const edition = await compositeEdition(services, { etag: source.etag, ffmpegPath })
  const frames = { start: compositeFrameAt(piece.start), end: Math.min(compositeFrameAt(piece.end), plan.frames) }
  const target = compositeKeys(archiveId, edition).piece(piece.index)
  await asMediaError({ of: 'picture', stretch: piece }, () => {
    const media = mediaOf(services, { encodeCompositePiece })
    const bytes = media.encodeCompositePiece(archive, plan, frames, { ffmpegPath })
    return storage.putStream(target, bytes, 'video/mp4', tagsFor(keepDays))
  })
  return { index: piece.index, edition }
}

/** Mixes the audio of all streams, if any has some. @throws {@link MediaError} when a stream cannot be decoded */
export const mixCompositeAudio: TaskRun<'mixAudio', keyof Reach> = async (
  services,
  { archiveId, keepDays, ...source },
) => {
  const { storage } = services
  const ffmpegPath = services.variable('FFMPEG_PATH')
  const { archive, plan } = await openComposite(source, storage)
  const edition = await compositeEdition(services, { etag: source.etag, ffmpegPath })
  const hasAudio = plan.voices.length > 0
  if (hasAudio)
    await asMediaError({ of: 'audio' }, () => {
      const bytes = mediaOf(services, { mixAudio }).mixAudio(archive, plan, { ffmpegPath })
      return storage.putStream(compositeKeys(archiveId, edition).audio, bytes, 'audio/mp4', tagsFor(keepDays))
    })
  return { hasAudio, edition }
}

/** Joins the pieces and the audio of a composite to one MP4. @throws {@link TaskInputError} when one is missing */
export const publishComposite: TaskRun<'assembleComposite', 'storage' | 'media'> = async (
  services,
  { bucket, key, etag, archiveId, keepDays, edition, pieces, hasAudio },
) => {
  const { storage } = services
  const { plan } = await openComposite({ key, etag }, storage)
  const { piece, audio, whole } = compositeKeys(archiveId, edition)
  const open = async (made: string): Promise<StoredObject> => {
    const madeEtag = await storage.etagOf(made)
    if (madeEtag === undefined) throw new TaskInputError(`${made} is missing. Rebuild the recording.`)
    return storage.open(made, madeEtag)
  }
  const sources: StoredObject[] = []
  for (let index = 0; index < pieces; index++) sources.push(await open(piece(index)))
  const media = mediaOf(services, { assembleComposite })
  const bytes = media.assembleComposite(sources, hasAudio ? await open(audio) : null, plan)
  const { size, sha256 } = await storage.putStream(whole, bytes, 'video/mp4', tagsFor(keepDays))
  return {
    files: [{ role: 'composite', key: whole, size, sha256 }],
    composite: { bucket, key: whole, etag: (await storage.etagOf(whole)) ?? '' },
  }
}

/** In pixels. */
const SIZE = { width: 1280, height: 720 } as const

/** Is raised when the same source would give other bytes. */
const RECIPE = 2

export async function openComposite(
  { key, etag }: { readonly key: string; readonly etag: string },
  storage: Pick<Storage, 'open'>,
): Promise<{ readonly archive: IndividualArchive; readonly plan: CompositePlan }> {
  const archive = await openIndividualArchive(await storage.open(key, etag))
  return { archive, plan: planComposite(archive, SIZE) }
}

/** Sixteen streams of this length take a worker with two processors about five minutes. */
const PIECE_SECONDS = 600

/** Returns the time ranges that Compose piece encodes, in seconds. */
export const compositePieces = (plan: CompositePlan) =>
  planCompositePieces(plan, PIECE_SECONDS).map(({ start, end }, index) => ({
    index,
    start: start / FRAMES_PER_SECOND,
    end: end / FRAMES_PER_SECOND,
  }))

/** Returns the edition of a composite, which all its pieces and its audio share. */
const compositeEdition = async (services: WithMedia, { etag, ffmpegPath }: { etag: string; ffmpegPath: string }) => {
  const ffmpeg = await mediaOf(services, { ffmpegVersion }).ffmpegVersion(ffmpegPath)
  return editionOf({ etag, recipe: { recipe: RECIPE, ...SIZE, ffmpeg } })
}

const compositeKeys = (archiveId: string, edition: string) => {
  const at = (file: string) => keys.published(archiveId, 'composite', edition, file)
  return { piece: (index: number) => at(`piece-${index}.mp4`), audio: at('audio.mp4'), whole: at('composite.mp4') }
}
