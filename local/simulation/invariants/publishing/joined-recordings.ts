import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import type { Evidence } from '../evidence.ts'
import { deletedIn } from '../requests/edits-of.ts'
import { type ArchiveFile, archiveFilesIn, hexOf, manifestIn } from './archive-files.ts'

type Seen = Pick<Evidence, 'objects' | 'executions' | 'leftOut' | 'shows' | 'statusChanges' | 'apiRequests'>

/**
 * Checks that the parts of each recording are also published as one: those from the first to the first that is missing. An
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

/** Returns the shows and names of the recordings of which a part, or the joined one, was deleted. */
function recordingsOf(archiveIds: ReadonlySet<string>, { statusChanges }: Seen): ReadonlySet<string> {
  const deleted = statusChanges.filter(({ id }) => archiveIds.has(id) || archiveIds.has(joinedId(id)))
  return new Set(deleted.map(({ tag = '' }) => tag.replace(/\/\d+$/, '')))
}

function problemsOf(files: readonly ArchiveFile[], { objects }: Seen): string[] {
  const byPart = new Map(files.filter(isPlayable).map((file) => [file.manifest?.show?.part ?? 0, file]))
  const parts: string[] = []
  for (let part = 1; byPart.has(part); part++) parts.push(byPart.get(part)?.archiveId ?? '')
  if (parts.length < 2) return []
  const joined = manifestIn(objects, joinedId(parts[0] ?? ''))
  const isExcused = files.some(({ executions }) => executions.some(({ status }) => status !== 'SUCCEEDED'))
  if (joined?.parts?.join() !== parts.join())
    return isExcused ? [] : [`has ${parts.length} parts, and ${joined?.parts?.length ?? 0} are joined`]
  return joined.files.flatMap(({ key, size, sha256 }) => {
    const object = objects.get(key)
    return object?.size === size && hexOf(object) === sha256 ? [] : [`lists ${key}, which is not so in the bucket`]
  })
}

const isPlayable = ({ manifest }: ArchiveFile) =>
  manifest?.status === 'complete' && manifest.files.some(({ role }) => role === 'hls')
