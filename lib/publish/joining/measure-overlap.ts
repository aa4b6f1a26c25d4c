import { type ComparedPart, findOverlap } from '../../media/joining/find-overlap.ts'
import type { Services, TaskRun } from '../../services.ts'
import { TaskInputError } from '../../tasks/errors.ts'
import { mediaOf } from '../media-functions.ts'
import { tracksOf } from './published-parts.ts'

/** Seconds: expected places that are closer to the first one are not searched again. */
const SAME_PLACE = 2

/**
 * Measures by how many seconds a part begins after the one before it, from content that both hold. Returns the expected shift,
 * without a confidence, when they have nothing in common.
 * @throws {@link TaskInputError} when a part is no longer published
 */
export const measureOverlap: TaskRun<'findOverlap', 'records' | 'storage' | 'variable' | 'media'> = async (
  services,
  { earlier, later, expected },
) => {
  const ffmpegPath = services.variable('FFMPEG_PATH')
  const [one, other] = [await comparedPart(earlier, services), await comparedPart(later, services)]
  const [first = 0, ...others] = expected
  const places = [first, ...others.filter((place) => Math.abs(place - first) > SAME_PLACE)]
  const media = mediaOf(services, { findOverlap })
  for (const place of places) {
    const found = await media.findOverlap({ earlier: one, later: other, expected: place, ffmpegPath })
    if (found) return { shift: Math.round(found.shift * 1e6) / 1e6, confidence: found.confidence }
  }
  return { shift: Math.max(0, first), confidence: null }
}

/** Compares the smallest rendition, which is the fastest to decode. */
async function comparedPart(
  archiveId: string,
  { records, storage }: Pick<Services, 'records' | 'storage'>,
): Promise<ComparedPart> {
  const manifest = await records.readManifest(archiveId)
  if (!manifest) throw new TaskInputError(`Recording ${archiveId} is no longer published.`)
  const tracks = await tracksOf(manifest, storage)
  return {
    video: tracks.findLast(({ type }) => type === 'video'),
    audio: tracks.find(({ type }) => type === 'audio'),
  }
}
