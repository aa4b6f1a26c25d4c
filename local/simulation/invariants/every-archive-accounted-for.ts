import { isTagOf } from '../../../lib/show/document/fields/names.ts'
import type { Seen } from '../environment/resources.ts'
import { BEGINNING } from '../world.ts'
import type { ArchiveEvidence, Evidence, ShowEvidence } from './evidence.ts'

/** Invariant 3: every archive ends as bytes in the bucket that match the platform's record, or is named in the result with its reason. */
export function everyArchiveAccountedFor(evidence: Evidence): string[] {
  const { seen, shows } = evidence
  const begun = new Map(seen.filter(({ kind }) => kind === 'archive').map((archive) => [archive.id, archive]))
  const ofShows = [...begun.values()].flatMap((archive) => {
    const show = shows.find(({ showId }) => isTagOf(showId, archive.tag))
    return show ? [{ archive, show }] : []
  })
  return [
    ...ofShows.flatMap(({ archive, show }) => problemsOf(archive, show, evidence)),
    ...shows.flatMap((show) => unfounded(show, evidence)),
  ]
}

function problemsOf(archive: Seen, { result }: ShowEvidence, evidence: Evidence): string[] {
  const { archives, objects } = evidence
  const { id, tag = id, projectId } = archive
  if (!result) return [] // the fourth invariant says so
  const entry = result.recordings.find(({ archiveId, tag: known }) => archiveId === id || (!archiveId && known === tag))
  if (!entry) return [`the archive ${tag} (${id}) is not in the result`]
  if (entry.lost === '') return [`the archive ${tag} is lost without a reason`]
  if (entry.lost !== undefined)
    return entry.archiveId === undefined && couldBeSeen(id, evidence)
      ? [`the archive ${tag} was never taken for the one that the show ordered, though it could be seen`]
      : []
  const object = [entry.key, `${projectId}/${id}/archive.mp4`, `${projectId}/${id}/archive.zip`]
    .map((key) => (key === undefined ? undefined : objects.get(key)))
    .find((one) => one !== undefined)
  if (!object) return [`the archive ${tag} is not lost by the result, and not in the bucket`]
  return differences(tag, object, archives.get(id), entry.size)
}

/** Lists of archives that Showrunner has read; of one of them the answer may have been lost on its way. */
const LISTED = / (WatchShow|CheckUploads|ReportShow)(\/\d+)? -> platform listArchives -> 200$/
const ENOUGH = 3
/** Seconds by which any list has what was started. */
const LAG = 60

/** Whether the platform has shown an archive often enough that a lost answer to its start is no reason not to know it. */
function couldBeSeen(archiveId: string, { seen, trace }: Evidence): boolean {
  const startedAt = seen.find(({ id }) => id === archiveId)?.at ?? 0
  const listedAt = trace.filter((line) => LISTED.test(line)).map((line) => BEGINNING + Number.parseFloat(line) * 1000)
  return listedAt.filter((at) => at > startedAt + LAG * 1000).length >= ENOUGH
}

function differences(
  tag: string,
  object: { size: number; sha256: string },
  record: ArchiveEvidence | undefined,
  told: number | undefined,
): string[] {
  const problems: string[] = []
  if (record && record.size !== object.size)
    problems.push(`the archive ${tag} has ${object.size} bytes in the bucket, and ${record.size} by the platform`)
  if (told !== undefined && told !== object.size)
    problems.push(`the archive ${tag} has ${object.size} bytes in the bucket, and ${told} by the result`)
  if (record?.sha256sum && record.sha256sum !== object.sha256)
    problems.push(`the archive ${tag} in the bucket is not the one that the platform recorded`)
  return problems
}

/** Recordings that a result tells of without one being there. */
function unfounded({ result, request }: ShowEvidence, { objects }: Evidence): string[] {
  if (!result) return []
  const told = result.recordings.filter(({ lost }) => lost === undefined)
  const names = new Set(result.recordings.map(({ name }) => name))
  return [
    ...told
      .filter(({ key }) => !key || !objects.has(key))
      .map(({ name }) => `the result tells of a file of ${name} that is not in the bucket`),
    ...(request?.show.recordings ?? [])
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => `the result does not tell what became of the recording ${name}`),
  ]
}
