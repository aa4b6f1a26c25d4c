import { type CompositePlan, planComposite } from '../../lib/media/composite/plan-composite.ts'
import { ffmpegVersion } from '../../lib/media/ffmpeg.ts'
import { type IndividualArchive, openIndividualArchive } from '../../lib/media/individual/individual-archive.ts'
import { editionOf } from '../../lib/services/editions.ts'
import type { Services } from '../../lib/services/services.ts'
import { keys } from '../../lib/workflow/keys.ts'

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

/** Of all pieces and of the sound. */
export const compositeEdition = async (etag: string, ffmpegPath: string) =>
  editionOf({ etag, recipe: { recipe: RECIPE, ...SIZE, ffmpeg: await ffmpegVersion(ffmpegPath) } })

/** Where the files of one composite lie. */
export const compositeKeys = (archiveId: string, edition: string) => {
  const at = (file: string) => keys.published(archiveId, 'composite', edition, file)
  return { piece: (index: number) => at(`piece-${index}.mp4`), sound: at('sound.mp4'), whole: at('composite.mp4') }
}
