import { type ComparedPart, findOverlap as find } from '../../lib/media/joining/find-overlap.ts'
import { tracksOf } from '../../lib/publish/joining/published-parts.ts'
import type { Services } from '../../lib/services.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** What is expected twice within so many seconds is looked for once. */
const ALIKE = 2

export async function findOverlap(
  { earlier, later, expected }: TaskInput<'findOverlap'>,
  services: Services,
): Promise<TaskOutput<'findOverlap'>> {
  const ffmpegPath = services.variable('FFMPEG_PATH')
  const [one, other] = [await comparedPart(earlier, services), await comparedPart(later, services)]
  const [first = 0, ...others] = expected
  const places = [first, ...others.filter((place) => Math.abs(place - first) > ALIKE)]
  for (const place of places) {
    const found = await find({ earlier: one, later: other, expected: place, ffmpegPath })
    if (found) return { shift: Math.round(found.shift * 1e6) / 1e6, confidence: found.confidence }
  }
  return { shift: Math.max(0, first), confidence: null }
}

/** The smallest picture says enough. */
async function comparedPart(archiveId: string, { records, storage }: Services): Promise<ComparedPart> {
  const manifest = await records.readManifest(archiveId)
  if (!manifest) throw new TaskInputError(`Recording ${archiveId} is not published any more.`)
  const tracks = await tracksOf(manifest, storage)
  return {
    video: tracks.findLast(({ type }) => type === 'video'),
    audio: tracks.find(({ type }) => type === 'audio'),
  }
}

export const handler = taskHandler('findOverlap', findOverlap)
