import type { Storage } from '../../aws/storage/storage.ts'
import { planPieces } from '../../media/composite/encode-composite-piece.ts'
import { type CompositePlan, FRAMES_PER_SECOND, planComposite } from '../../media/composite/plan-composite.ts'
import { ffmpegVersion } from '../../media/ffmpeg/ffmpeg-build.ts'
import { type IndividualArchive, openIndividualArchive } from '../../media/individual/individual-archive.ts'
import { keys } from '../../show/state/keys.ts'
import { editionOf } from '../editions.ts'

/** In pixels. */
const SIZE = { width: 1280, height: 720 } as const

/** Is raised when the same source would give other bytes. */
const RECIPE = 1

/** An individual archive and the plan of its composite, which every worker computes from the archive. */
export interface OpenComposite {
  readonly archive: IndividualArchive
  readonly plan: CompositePlan
}

/** Opens an individual archive and plans its composite. */
export async function openComposite(
  { key, etag }: { readonly key: string; readonly etag: string },
  storage: Pick<Storage, 'open'>,
): Promise<OpenComposite> {
  const archive = await openIndividualArchive(await storage.open(key, etag))
  return { archive, plan: planComposite(archive, SIZE) }
}

/** Sixteen streams of this length take a worker with two processors about five minutes. */
const PIECE_SECONDS = 600

/** Returns the time ranges that Compose piece encodes, in seconds. */
export const compositePieces = (plan: CompositePlan) =>
  planPieces(plan, PIECE_SECONDS).map(({ start, end }, index) => ({
    index,
    start: start / FRAMES_PER_SECOND,
    end: end / FRAMES_PER_SECOND,
  }))

/** Returns the edition of a composite, which all its pieces and its audio share. */
export const compositeEdition = async (etag: string, ffmpegPath: string) =>
  editionOf({ etag, recipe: { recipe: RECIPE, ...SIZE, ffmpeg: await ffmpegVersion(ffmpegPath) } })

/** Returns the keys of the files of one composite. */
export const compositeKeys = (archiveId: string, edition: string) => {
  const at = (file: string) => keys.published(archiveId, 'composite', edition, file)
  return { piece: (index: number) => at(`piece-${index}.mp4`), audio: at('audio.mp4'), whole: at('composite.mp4') }
}
