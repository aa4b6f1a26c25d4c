import { joinChapters } from '../../lib/media/joining/join-chapters.ts'
import { type Cut, planCuts } from '../../lib/media/joining/plan-cuts.ts'
import { segmentsOf } from '../../lib/media/joining/published-track.ts'
import { captionsOf, carryCaptions } from '../../lib/publish/carry-captions.ts'
import { areListed, withdrawJoined } from '../../lib/publish/deletion/delete-recording.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { chaptersOf, publishChapters } from '../../lib/publish/joining/chapters.ts'
import { endOfPart, fittingParts, type Part } from '../../lib/publish/joining/fitting-parts.ts'
import { copiesOf, type Place, publishPlaylists } from '../../lib/publish/joining/playlists.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../lib/services.ts'
import { joinedId } from '../../lib/show/document/fields/names.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same parts would give other bytes. */
const RECIPE = 3
/** Seconds by which creation times may be wrong. */
const UNCERTAIN = 1

type Overlaps = TaskInput<'joinParts'>['overlaps']

export async function joinParts(input: TaskInput<'joinParts'>, services: Services): Promise<TaskOutput<'joinParts'>> {
  try {
    return await join(input, services)
  } catch (error) {
    // What is being deleted vanishes while it is read.
    if (await areListed(services, input.parts)) throw error
    return { joined: null, message: LATE }
  }
}

async function join(
  { parts: archiveIds, overlaps, message: findings }: TaskInput<'joinParts'>,
  services: Services,
): Promise<TaskOutput<'joinParts'>> {
  const { records, storage } = services
  const manifests = await Promise.all(archiveIds.map((archiveId) => records.readManifest(archiveId)))
  const gone = manifests.indexOf(undefined)
  const there = manifests.slice(0, gone < 0 ? manifests.length : gone).filter((manifest) => manifest !== undefined)
  const { parts, message: misfit } = await fittingParts(there, storage)
  const [first] = parts
  if (!first || parts.length < 2) {
    await withdrawJoined(services, joinedId(archiveIds[0] ?? ''))
    return { joined: null, message: misfit ?? findings }
  }

  const shifts = overlaps.slice(0, parts.length - 1)
  const cuts = cutsOf(parts, shifts)
  const message = [findings, misfit, ...shifts.flatMap((overlap, index) => wordsOn(overlap, parts, index))]
    .filter(Boolean)
    .join(' ')
  const archiveId = joinedId(first.manifest.archiveId)
  const edition = editionOf({
    etag: parts.map(({ manifest }) => manifest.source.etag ?? '').join(),
    recipe: { recipe: RECIPE, shifts: shifts.map(({ shift }) => shift), tracks: parts.map(initKeys) },
  })
  const place = { archiveId, edition, keepDays: first.manifest.keepDays ?? null }
  const duration = (cuts.at(-1)?.offset ?? 0) + endOfPart(parts.at(-1) as Part)
  const { message: _, loudness: __, missing: ___, withheld: ____, ...about } = first.manifest
  const joined = parts.map(({ manifest }) => manifest.archiveId)
  const document: Manifest = {
    ...about,
    archiveId,
    parts: joined,
    ...(message && { message }),
    duration,
    files: first.manifest.files.filter(({ role }) => role === 'poster'),
  }
  let isPublished = false
  try {
    const files = [...document.files, ...(await publishFiles(parts, cuts, place, storage))]
    const change = (earlier: Manifest | undefined) =>
      carryCaptions({ ...document, ...revoked(earlier, parts), files: [...files, ...captionsOf(earlier)] }, storage)
    const written = await records.changeManifest(archiveId, change, () => isCurrent(document, services))
    // A part may have been deleted while it was written, by somebody who could not see it yet.
    isPublished = !(await withdrawJoined(services, archiveId)) && written !== undefined
  } finally {
    if (!isPublished) await deleteUnnamed(place, joined, services)
  }
  if (!isPublished) return { joined: null, message: LATE }
  return { joined: { archiveId, parts: joined, duration }, message: message || null }
}

/** Whose part is private is private itself. */
function revoked(earlier: Manifest | undefined, parts: readonly Part[]): Partial<Manifest> {
  const epoch = Math.max(...[earlier, ...parts.map(({ manifest }) => manifest)].map((one) => one?.epoch ?? 0))
  return epoch > 0 ? { access: 'signed', epoch } : {}
}

/** Playlists, the seams between the parts, and chapters. */
async function publishFiles(parts: readonly Part[], cuts: readonly Cut[], place: Place, storage: Services['storage']) {
  const playlists = await publishPlaylists(parts, cuts, place, storage)
  const chapters = joinChapters(await chaptersOf(parts, cuts, storage))
  return [...(await publishChapters(chapters, place, storage)), ...playlists]
}

/**
 * Seams and copies show what was recorded. Seams stay only where somebody has published the very same, copies as long as their
 * part is there: whoever joins it next goes on from them.
 */
async function deleteUnnamed({ archiveId, edition }: Place, parts: readonly string[], services: Services) {
  const { records, storage } = services
  const folder = keys.published(archiveId, 'joined', edition, '')
  const { files = [] } = (await records.readManifest(archiveId)) ?? {}
  if (!files.some(({ key }) => key.startsWith(folder))) await storage.deleteAll(folder)
  for (const part of parts) if (!(await areListed(services, [part]))) await storage.deleteAll(copiesOf(archiveId, part))
}

const LATE = 'A part has been deleted meanwhile, or more parts have been joined.'

/** Two may join at a time: of those that found all their parts, whoever found most is right. */
async function isCurrent({ archiveId, parts = [] }: Manifest, services: Services): Promise<boolean> {
  const { parts: others = [] } = (await services.records.readManifest(archiveId)) ?? {}
  if (others.length > parts.length && (await areListed(services, others))) return false
  return areListed(services, parts)
}

const cutsOf = (parts: readonly Part[], overlaps: Overlaps): Cut[] =>
  planCuts(
    parts.map((part, index) => {
      const video = part.tracks.find(({ type }) => type === 'video')
      return {
        end: endOfPart(part),
        starts: video && segmentsOf(video).map(({ start }) => start),
        shift: index === 0 ? 0 : (overlaps[index - 1]?.shift ?? 0),
      }
    }),
  )

/** What a person should know of how a part follows the one before. */
function wordsOn({ shift, confidence }: Overlaps[number], parts: readonly Part[], index: number): string[] {
  const missing = shift - endOfPart(parts[index] as Part)
  const follows = `Part ${index + 2}`
  if (missing > UNCERTAIN)
    return [`${follows} begins about ${missing.toFixed(0)} s after the part before it has ended.`]
  return confidence === null
    ? [`${follows} is joined by the times of creation, a second may be missing or come twice.`]
    : []
}

const initKeys = ({ tracks }: Part) => tracks.map(({ rendition }) => rendition.initUri)

export const handler = taskHandler('joinParts', joinParts)
