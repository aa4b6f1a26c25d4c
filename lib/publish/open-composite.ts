import { planPieces } from '../media/composite/encode-composite-piece.ts'
import { type CompositePlan, FRAMES_PER_SECOND, planComposite } from '../media/composite/plan-composite.ts'
import { ffmpegVersion } from '../media/ffmpeg/ffmpeg-build.ts'
import { type IndividualArchive, openIndividualArchive } from '../media/individual/individual-archive.ts'
import type { Services } from '../services.ts'
import { keys } from '../show/state/keys.ts'
import { editionOf } from './editions.ts'

/** In pixels. */
const SIZE = { width: 1280, height: 720 } as const

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

/** An archive of single streams with what is made of it, which every worker finds out for itself. */
export interface OpenComposite {
  readonly archive: IndividualArchive
  readonly plan: CompositePlan
}

export async function openComposite(
  { key, etag }: { readonly key: string; readonly etag: string },
  { storage }: Pick<Services, 'storage'>,
): Promise<OpenComposite> {
  const archive = await openIndividualArchive(await storage.open(key, etag))
  return { archive, plan: planComposite(archive, SIZE) }
}

/** Sixteen streams for so long take a worker of two processors about five minutes. */
const PIECE_SECONDS = 600

/** What Compose piece is asked for, one after the other; in seconds. */
export const compositePieces = (plan: CompositePlan) =>
  planPieces(plan, PIECE_SECONDS).map(({ start, end }, index) => ({
    index,
    start: start / FRAMES_PER_SECOND,
    end: end / FRAMES_PER_SECOND,
  }))

/** Of all pieces and of the audio. */
export const compositeEdition = async (etag: string, ffmpegPath: string) =>
  editionOf({ etag, recipe: { recipe: RECIPE, ...SIZE, ffmpeg: await ffmpegVersion(ffmpegPath) } })

/** Where the files of one composite lie. */
export const compositeKeys = (archiveId: string, edition: string) => {
  const at = (file: string) => keys.published(archiveId, 'composite', edition, file)
  return { piece: (index: number) => at(`piece-${index}.mp4`), audio: at('audio.mp4'), whole: at('composite.mp4') }
}
