import { isTagOf } from '../../../lib/show/document/fields/names.ts'
import { isReplaced } from '../chaos/replace-file.ts'
import type { TimedStatusChange } from '../environment/watch-resources.ts'
import { couldBeSeen } from './could-be-seen.ts'
import type { ArchiveEvidence, Evidence, ShowEvidence } from './evidence.ts'
import { deletedIn } from './requests/edits-of.ts'
import { straysOf } from './strays.ts'

/** Checks that every archive is in the bucket as the platform recorded it, or is lost in the result with a reason. */
export function everyArchiveAccountedFor(evidence: Evidence): string[] {
  const { statusChanges, shows } = evidence
  const begun = new Map(statusChanges.filter(({ kind }) => kind === 'archive').map((archive) => [archive.id, archive]))
  const strays = straysOf(evidence)
  const deleted = deletedIn(evidence)
  const ofShows = [...begun.values()].flatMap((archive) => {
    const show = shows.find(({ showId }) => isTagOf(showId, archive.tag))
    return show && !strays.has(archive.id) && !deleted.has(archive.id) ? [{ archive, show }] : []
  })
  return [
    ...ofShows.flatMap(({ archive, show }) => problemsOf(archive, show, evidence)),
    ...shows.flatMap((show) => unfounded(show, evidence, deleted)),
  ]
}

function problemsOf(archive: TimedStatusChange, { result }: ShowEvidence, evidence: Evidence): string[] {
  const { archives, objects, trace } = evidence
  const { id, tag = id, projectId } = archive
  if (!result) return [] // "every show reported" finds this
  const entry = result.recordings.find(({ archiveId, tag: known }) => archiveId === id || (!archiveId && known === tag))
  if (!entry) return [`the archive ${tag} (${id}) is not in the result`]
  if (entry.lost === '') return [`the archive ${tag} is lost without a reason`]
  if (entry.lost !== undefined)
    return entry.archiveId === undefined && couldBeSeen(id, evidence)
      ? [`the archive ${tag} is lost by the result, although the platform listed it`]
      : []
  const keys = [entry.key, `${projectId}/${id}/archive.mp4`, `${projectId}/${id}/archive.zip`]
  const key = keys.find((one) => one !== undefined && objects.has(one)) ?? ''
  const object = objects.get(key)
  if (!object) return [`the archive ${tag} is not lost by the result, and not in the bucket`]
  return isReplaced(key, trace) ? [] : differences(tag, object, archives.get(id), entry.size)
}

function differences(
  tag: string,
  object: { size: number; sha256: string },
  record: ArchiveEvidence | undefined,
  reported: number | undefined,
): string[] {
  const problems: string[] = []
  if (record && record.size !== object.size)
    problems.push(`the archive ${tag} has ${object.size} bytes in the bucket, and ${record.size} by the platform`)
  if (reported !== undefined && reported !== object.size)
    problems.push(`the archive ${tag} has ${object.size} bytes in the bucket, and ${reported} by the result`)
  if (record?.sha256sum && record.sha256sum !== object.sha256)
    problems.push(`the archive ${tag} in the bucket is not the one that the platform recorded`)
  return problems
}

/** Finds recordings whose file or outcome is missing. */
function unfounded({ result, request }: ShowEvidence, { objects }: Evidence, deleted: ReadonlySet<string>): string[] {
  if (!result) return []
  const stored = result.recordings.filter(({ lost, archiveId = '' }) => lost === undefined && !deleted.has(archiveId))
  const names = new Set(result.recordings.map(({ name }) => name))
  return [
    ...stored
      .filter(({ key }) => !key || !objects.has(key))
      .map(({ name }) => `the result names a file of ${name} that is not in the bucket`),
    ...(request?.show.recordings ?? [])
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => `the result has no outcome of the recording ${name}`),
  ]
}
