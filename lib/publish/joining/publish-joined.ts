import type { Storage } from '../../aws/storage/storage.ts'
import { parseWebVtt } from '../../media/captions/web-vtt.ts'
import { type Chapter, writeChapters } from '../../media/chapters/find-chapters.ts'
import { type ChaptersOfPart, joinChapters } from '../../media/joining/join-chapters.ts'
import { type Cut, planCuts } from '../../media/joining/plan-cuts.ts'
import { segmentsOf } from '../../media/joining/published-track.ts'
import { readDeletion } from '../../records/deletion-records.ts'
import type { Services, TaskRun } from '../../services.ts'
import { joinedId } from '../../show/document/fields/names.ts'
import { keys } from '../../show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { captionsOf, carryCaptions } from '../carry-captions.ts'
import { areListed, withdrawJoined } from '../deletion/delete-recording.ts'
import { editionOf } from '../editions.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { publishFile } from '../published-files.ts'
import { findPauses } from './find-pauses.ts'
import { copiesOf, type EditionPlace, publishJoinedPlaylists } from './playlists.ts'
import { endOfPart, fittingParts, type PublishedPart } from './published-parts.ts'

/** Is raised when the same parts would give other bytes. */
const RECIPE = 5
/** Seconds by which creation times may be wrong. */
const TOLERANCE = 1

/** Where each part is entered and left, and the pauses before them. */
interface Seams {
  readonly cuts: readonly Cut[]
  readonly paused: readonly (number | undefined)[]
}

type Overlaps = TaskInput<'joinParts'>['overlaps']

/** Publishes the parts of a recording as one, or returns why not: fewer than two can be joined, or one or the whole is deleted. */
export const publishJoined: TaskRun<'joinParts'> = async (services, input) => {
  try {
    return await join(input, services)
  } catch (error) {
    // Objects of a part that is being deleted vanish while they are read.
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
  const deleted = manifests.indexOf(undefined)
  const published = manifests.slice(0, deleted < 0 ? manifests.length : deleted).filter((one) => one !== undefined)
  const { parts, message: misfit } = await fittingParts(published, storage)
  const [first] = parts
  if (!first || parts.length < 2) {
    await withdrawJoined(services, joinedId(archiveIds[0] ?? ''), { fits: !misfit })
    return { joined: null, message: misfit ?? findings }
  }

  const archiveId = joinedId(first.manifest.archiveId)
  if (await readDeletion(storage, archiveId)) return { joined: null, message: DELETED }
  const shifts = overlaps.slice(0, parts.length - 1)
  const cuts = cutsOf(parts, shifts)
  const paused = await findPauses(parts, shifts, services)
  const isPause = (index: number) => paused[index + 1] !== undefined
  const found = shifts.flatMap((overlap, index) => (isPause(index) ? [] : messagesOn(overlap, parts, index)))
  const message = [findings, misfit, ...found].filter(Boolean).join(' ')
  const pauses = paused.flatMap((duration, index) =>
    duration === undefined ? [] : { at: cuts[index]?.offset ?? 0, duration },
  )
  const edition = editionOf({
    etag: parts.map(({ manifest }) => manifest.source.etag ?? '').join(),
    recipe: {
      ...{ recipe: RECIPE, shifts: shifts.map(({ shift }) => shift), tracks: parts.map(initKeys) },
      ...(pauses.length > 0 && { pauses }),
    },
  })
  const place = { archiveId, edition, keepDays: first.manifest.keepDays ?? null }
  const duration = (cuts.at(-1)?.offset ?? 0) + endOfPart(parts.at(-1) as PublishedPart)
  const { message: _, loudness: __, missing: ___, withheld: ____, publications: _____, ...about } = first.manifest
  const joined = parts.map(({ manifest }) => manifest.archiveId)
  const document: Manifest = {
    ...about,
    archiveId,
    parts: joined,
    ...(pauses.length > 0 && { pauses }),
    ...(message && { message }),
    duration,
    files: first.manifest.files.filter(({ role }) => role === 'poster'),
  }
  try {
    const files = [...document.files, ...(await publishFiles(parts, { cuts, paused }, place, services))]
    const change = (earlier: Manifest | undefined) =>
      carryCaptions({ ...document, ...revoked(earlier, parts), files: [...files, ...captionsOf(earlier)] }, storage)
    const written = await records.changeManifest(archiveId, change, () => isCurrent(document, !misfit, services))
    if (written) await followRevocations(written, services)
    // A part may have been deleted while this was written: that deletion could not find the joined recording yet.
    if (!(await withdrawJoined(services, archiveId)) && written !== undefined)
      return { joined: { archiveId, parts: joined, duration }, message: message || null }
  } catch (error) {
    // A manifest whose write was given up may still be stored. So its files stay, and the next join replaces them, unless a
    // part is deleted.
    if (!(await areListed(services, joined))) await deleteUnused(place, joined, services)
    throw error
  }
  await deleteUnused(place, joined, services)
  return { joined: null, message: LATE }
}

/** A recording with a private part is private. */
function revoked(
  earlier: Manifest | undefined,
  parts: readonly { readonly manifest: Manifest | undefined }[],
): Partial<Manifest> {
  const epoch = Math.max(...[earlier, ...parts.map(({ manifest }) => manifest)].map((one) => one?.epoch ?? 0))
  return epoch > 0 ? { access: 'signed', epoch } : {}
}

/**
 * Makes a joined recording private if the links of a part were revoked while it was written: that revocation could not find it yet.
 */
async function followRevocations(written: Manifest, { records }: Pick<Services, 'records'>): Promise<void> {
  const { archiveId, parts: ids = [], epoch = 0 } = written
  const parts = await Promise.all(ids.map(async (id) => ({ manifest: await records.readManifestIfOwn(id) })))
  if ((revoked(written, parts).epoch ?? 0) <= epoch) return
  const makePrivate = (earlier = written): Manifest => ({ ...earlier, ...revoked(earlier, parts) })
  const isThere = async () => (await records.readManifestIfOwn(archiveId)) !== undefined
  await records.changeManifest(archiveId, makePrivate, isThere)
}

/** Publishes playlists, the seams between the parts, and chapters. */
async function publishFiles(
  parts: readonly PublishedPart[],
  seams: Seams,
  place: EditionPlace,
  services: Pick<Services, 'storage' | 'media'>,
) {
  const { storage } = services
  const playlists = await publishJoinedPlaylists(parts, seams.cuts, place, services)
  const chapters = joinChapters(await chaptersOf(parts, seams, storage))
  return [...(await publishJoinedChapters(chapters, place, storage)), ...playlists]
}

/**
 * Deletes seams and copies of an attempt that did not publish, since they show what was recorded. Seams stay when another
 * execution has published the same edition. Copies stay while their part is published: the next join reuses them.
 */
async function deleteUnused({ archiveId, edition }: EditionPlace, parts: readonly string[], services: Services) {
  const { records, storage } = services
  const folder = keys.published(archiveId, 'joined', edition, '')
  const { files = [] } = (await records.readManifest(archiveId)) ?? {}
  if (!files.some(({ key }) => key.startsWith(folder))) await storage.deleteAll(folder)
  for (const part of parts) if (!(await areListed(services, [part]))) await storage.deleteAll(copiesOf(archiveId, part))
}

const DELETED = 'The joined recording is deleted, and can be restored.'
const LATE = 'A part was deleted meanwhile, or another execution has joined more parts.'

/**
 * Two executions may join at the same time: of those whose parts are all published, the one with the most parts wins.
 * @param fits false if a further part cannot be joined any more
 */
async function isCurrent({ archiveId, parts = [] }: Manifest, fits: boolean, services: Services): Promise<boolean> {
  const { parts: others = [] } = (await services.records.readManifest(archiveId)) ?? {}
  if (fits && others.length > parts.length && (await areListed(services, others))) return false
  return areListed(services, parts)
}

const cutsOf = (parts: readonly PublishedPart[], overlaps: Overlaps): Cut[] =>
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

/** Returns what viewers should know of the transition to a part. */
function messagesOn({ shift, confidence }: Overlaps[number], parts: readonly PublishedPart[], index: number): string[] {
  const missing = shift - endOfPart(parts[index] as PublishedPart)
  const follows = `Part ${index + 2}`
  if (missing > TOLERANCE)
    return [`${follows} begins about ${missing.toFixed(0)} s after the end of the previous part.`]
  return confidence === null
    ? [`${follows} is joined by creation times: about a second may be missing or repeated.`]
    : []
}

const initKeys = ({ tracks }: PublishedPart) => tracks.map(({ rendition }) => rendition.initUri)

/** Reads the chapters of each part. */
const chaptersOf = (
  parts: readonly PublishedPart[],
  { cuts, paused }: Seams,
  storage: Pick<Storage, 'readText'>,
): Promise<ChaptersOfPart[]> =>
  Promise.all(
    parts.map(async (part, index) => {
      const file = part.manifest.files.find(({ role }) => role === 'chapters')
      const text = file && (await storage.readText(file.key))
      const chapters = text ? parseWebVtt(text).cues.map(({ start, end, text }) => ({ start, end, title: text })) : []
      const isResumed = paused[index] !== undefined
      return { chapters, end: endOfPart(part), cut: cuts[index] as Cut, isResumed }
    }),
  )

/** Publishes the chapters of a joined recording, if it has any. */
async function publishJoinedChapters(
  chapters: readonly Chapter[],
  { archiveId, edition, keepDays }: EditionPlace,
  storage: Storage,
): Promise<Manifest['files']> {
  if (chapters.length === 0) return []
  const key = keys.published(archiveId, 'joined', edition, 'chapters.vtt')
  const content = writeChapters(chapters)
  return [await publishFile(storage, { role: 'chapters', key, content, contentType: 'text/vtt', keepDays })]
}
