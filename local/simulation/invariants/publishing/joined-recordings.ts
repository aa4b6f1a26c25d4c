import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import type { Evidence } from '../evidence.ts'
import { pausesOf } from '../parts/pauses-of.ts'
import { deletedIn } from '../requests/edits-of.ts'
import { type ArchiveFile, archiveFilesIn, hexOf, manifestIn, type SeenManifest } from './archive-files.ts'
import { problemsOfJoinedChapters } from './published-chapters.ts'

type Seen = Pick<Evidence, 'objects' | 'executions' | 'leftOut' | 'shows' | 'statusChanges' | 'apiRequests' | 'trace'>

/**
 * Checks that the parts of each recording are also published as one: those from the first to the first that is missing or differs. An
 * execution that failed, and so rings an alarm, may have left parts out.
 */
export function joinedRecordings(evidence: Seen): string[] {
  if ('StartPublish' in evidence.leftOut) return []
  // A stray has the name and the number of a part, and is none.
  const strays = new Set(
    evidence.shows.flatMap(({ result }) => (result?.strays ?? []).map(({ archiveId }) => archiveId)),
  )
  const files = archiveFilesIn(evidence).filter(({ manifest, archiveId }) => manifest?.show && !strays.has(archiveId))
  const recordings = Map.groupBy(files, ({ manifest }) => `${manifest?.show?.showId}/${manifest?.show?.name}`)
  const deleted = recordingsOf(deletedIn(evidence), evidence)
  return [...recordings].flatMap(([recording, parts]) =>
    (deleted.has(recording) ? [] : problemsOf(parts, evidence)).map(
      (problem) => `the recording ${recording} ${problem}`,
    ),
  )
}

/** Returns false for a part whose pictures have another size than those of the first: an operator has accepted another file. */
const fits = ({ manifest }: ArchiveFile, first: ArchiveFile | undefined): boolean =>
  first === undefined || sizeOf(manifest) === sizeOf(first.manifest)

const sizeOf = (manifest: SeenManifest | undefined) => `${manifest?.video?.width}x${manifest?.video?.height}`

/** Returns the shows and names of the recordings of which a part, or the joined one, was deleted. */
function recordingsOf(archiveIds: ReadonlySet<string>, { statusChanges }: Seen): ReadonlySet<string> {
  const deleted = statusChanges.filter(({ id }) => archiveIds.has(id) || archiveIds.has(joinedId(id)))
  return new Set(deleted.map(({ tag = '' }) => tag.replace(/\/\d+$/, '')))
}

function problemsOf(files: readonly ArchiveFile[], evidence: Seen): string[] {
  const { objects } = evidence
  const byPart = new Map(files.filter(isPlayable).map((file) => [file.manifest?.show?.part ?? 0, file]))
  const parts: ArchiveFile[] = []
  for (let file = byPart.get(1); file && fits(file, parts[0]); file = byPart.get(parts.length + 1)) parts.push(file)
  const [first] = parts
  if (!first) return []
  const joined = manifestIn(objects, joinedId(first.archiveId))
  const isMisfit = byPart.has(parts.length + 1)
  if (parts.length < 2) return joined && isMisfit ? ['is joined of parts that do not fit'] : []
  const isExcused = files.some(({ executions }) => executions.some(({ status }) => status !== 'SUCCEEDED'))
  if (joined?.parts?.join() !== parts.map(({ archiveId }) => archiveId).join())
    return isExcused ? [] : [`has ${parts.length} parts, and ${joined?.parts?.length ?? 0} are joined`]
  const changed = joined.files.flatMap(({ key, size, sha256 }) => {
    const object = objects.get(key)
    return object?.size === size && hexOf(object) === sha256 ? [] : [`lists ${key}, which is not so in the bucket`]
  })
  return [...changed, ...problemsOfTimes(joined, parts, evidence)]
}

/** Seconds by which creation times and durations, which are rounded, may differ for each part. */
const ROUNDED = 2

/** A joined recording lasts as long as its parts without their overlaps, has their chapters, and names the pauses between them. */
function problemsOfTimes(
  joined: SeenManifest,
  parts: readonly ArchiveFile[],
  { shows, statusChanges, objects }: Pick<Seen, 'shows' | 'statusChanges' | 'objects'>,
): string[] {
  const { duration, pauses = [] } = joined
  const { show: of } = parts[0]?.manifest ?? {}
  const { request, state } = shows.find(({ showId }) => showId === of?.showId) ?? {}
  const order = request?.show.recordings.find(({ name }) => name === of?.name)
  const paused = order && state ? pausesOf(order, state) : []
  const runs = parts.map(({ archiveId, manifest }) => {
    const from = statusChanges.find(({ id }) => id === archiveId)?.createdAt ?? Number.NaN
    return { from, seconds: manifest?.duration ?? Number.NaN }
  })
  const seams = runs.slice(1).map((later, index) => {
    const { from, seconds } = runs[index] ?? later
    const end = from + seconds * 1000
    const isPause = paused.some((one) => one.from <= later.from + ROUNDED * 1000 && one.to >= end - ROUNDED * 1000)
    return { added: Math.min(seconds, (later.from - from) / 1000), gap: (later.from - end) / 1000, isPause }
  })
  const offsets = [0]
  for (const { added } of seams) offsets.push((offsets.at(-1) ?? 0) + added)
  const expected = seams.reduce((sum, { added }) => sum + added, 0) + (runs.at(-1)?.seconds ?? 0)
  const [least, most] = [ROUNDED, -ROUNDED].map(
    (seconds) => seams.filter(({ gap, isPause }) => isPause && gap > seconds).length,
  )
  const lasts = Math.round(duration ?? 0)
  const placed = parts.flatMap(({ manifest }, index) => (manifest ? [{ manifest, offset: offsets[index] ?? 0 }] : []))
  return [
    ...problemsOfJoinedChapters(joined, placed, { objects }),
    ...(Math.abs(lasts - expected) > ROUNDED * runs.length ? [`lasts ${lasts} s, and its parts ${expected} s`] : []),
    ...(pauses.length >= (least ?? 0) && pauses.length <= (most ?? 0)
      ? []
      : [`names ${pauses.length} pauses, and its parts have ${least}`]),
  ]
}

const isPlayable = ({ manifest }: ArchiveFile) =>
  manifest?.status === 'complete' && manifest.files.some(({ role }) => role === 'hls')
