import { parseArchiveKey } from '../../../../lib/show/state/keys.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { deletedIn, editsIn, isDone, isOfDeletion, lastOf, type SeenEdit } from '../requests/edits-of.ts'

type Seen = Pick<Evidence, 'apiRequests' | 'objects' | 'versions' | 'archives' | 'trace' | 'now'>

const DAY = 86_400_000
/** Days for which a deployment keeps a deleted recording by default. */
const DAYS = 7
/** Statuses of archives of which the platform may have the file. */
const COPIED: ReadonlySet<string> = new Set(['stopped', 'available', 'uploaded'])
/** Milliseconds after the end of a restorable time by which the sweep has purged the recording. */
const PURGED = 3_600_000

/**
 * Checks deletions by docs/deploy.md. Nothing of a deleted recording can be read, and it can be restored for the days of the
 * deployment. After them, and at once if it was deleted permanently, no version of it is left, and no copy of the platform. A restored
 * one has no record of the deletion, and is listed.
 */
export function deletedRecordings(evidence: Seen): string[] {
  const ofDeletion = editsIn(evidence).filter(isOfDeletion)
  const deleted = deletedIn(evidence)
  return [...Map.groupBy(ofDeletion, ({ archiveId }) => archiveId)].flatMap(([archiveId, edits]) => {
    const last = lastOf(edits)
    if (!last || !isDone(last) || (last.action !== 'DELETE' && deleted.has(archiveId))) return []
    const problems = deleted.has(archiveId)
      ? problemsOfDeleted(last, evidence)
      : problemsOfRestored(archiveId, evidence)
    return problems.map((problem) => `the recording ${archiveId} ${problem}`)
  })
}

/** Returns true for the key of a file of a recording, or of its entry in the list of recordings. */
const isOf = (archiveId: string) => (key: string) =>
  key.startsWith(`recordings/${archiveId}/`) ||
  parseArchiveKey(key)?.archiveId === archiveId ||
  (key.startsWith('index/recordings/') && key.endsWith(`-${archiveId}`) && !key.endsWith(`${archiveId}-joined`))

const recordOf = (archiveId: string) => `deletions/${archiveId}.json`
/** Returns the entries of deletions, without those that a fault has left: the sweep removes them once they are due. */
const listedDeletions = (archiveId: string, { objects, trace }: Seen) =>
  [...objects.keys()].filter(
    (key) => key.startsWith('index/deletions/') && key.endsWith(`-${archiveId}`) && !isLeft(key, trace),
  )

const isLeft = (key: string, trace: Seen['trace']) =>
  exceptionsIn(trace).some(
    ({ fault, line }) =>
      (fault === 'delayed' && line.includes(`s3 PutObject ${key} `)) || line.includes(`s3 DeleteObject ${key} `),
  )

function problemsOfDeleted({ archiveId, permanently, answer }: SeenEdit, evidence: Seen): string[] {
  const { objects, versions } = evidence
  const readable = [...objects.keys()].filter(isOf(archiveId))
  const joined = [...objects.keys()].filter(isOf(`${archiveId}-joined`))
  const kept = versions.filter(({ key }) => isOf(archiveId)(key))
  const { restorableUntil } = JSON.parse(answer) as { readonly restorableUntil?: string }
  const isPurged = evidence.now >= Date.parse(restorableUntil ?? '') + PURGED
  return [
    ...readable.map((key) => `was deleted, and ${key} can be read`),
    ...(joined.length > 0 ? ['was deleted, and the joined recording was not'] : []),
    ...(permanently || isPurged
      ? problemsOfPurged(archiveId, kept, evidence)
      : [
          ...(kept.length === 0 ? ['was deleted, and no version of it is left'] : []),
          ...problemsOfRecord(archiveId, restorableUntil, evidence),
        ]),
  ]
}

function problemsOfPurged(archiveId: string, kept: Seen['versions'], evidence: Seen): string[] {
  const { objects, archives } = evidence
  return [
    ...kept.map(({ key }) => `was deleted permanently, and a version of ${key} is left`),
    ...(COPIED.has(archives.get(archiveId)?.status ?? '') ? ['was deleted permanently, and the platform has it'] : []),
    ...(objects.has(recordOf(archiveId)) || listedDeletions(archiveId, evidence).length > 0
      ? ['was deleted permanently, and is listed as one that can be restored']
      : []),
  ]
}

function problemsOfRecord(archiveId: string, restorableUntil: string | undefined, evidence: Seen): string[] {
  const text = evidence.objects.get(recordOf(archiveId))?.text
  if (text === undefined) return ['was deleted, and nothing records it']
  const { deletedAt, purgeAt } = JSON.parse(text) as { readonly deletedAt: string; readonly purgeAt: string }
  const [listed] = listedDeletions(archiveId, evidence)
  const days = (Date.parse(purgeAt) - Date.parse(deletedAt)) / DAY
  return [
    ...(days === DAYS ? [] : [`was deleted, and can be restored for ${days} days`]),
    ...(restorableUntil === purgeAt ? [] : ['was deleted, and its answer states another time of its end']),
    ...(listed?.includes(String(Date.parse(purgeAt))) ? [] : ['was deleted, and is not listed for its end']),
  ]
}

function problemsOfRestored(archiveId: string, evidence: Seen): string[] {
  const { objects } = evidence
  const entries = [...objects.keys()].filter((key) => key.startsWith('index/recordings/') && isOf(archiveId)(key))
  return [
    ...(objects.has(`recordings/${archiveId}/manifest.json`) ? [] : ['was restored, and has no manifest']),
    ...(entries.length === 1 ? [] : [`was restored, and is listed ${entries.length} times`]),
    ...(objects.has(recordOf(archiveId)) ? ['was restored, and is still recorded as deleted'] : []),
    ...(listedDeletions(archiveId, evidence).length > 0 ? ['was restored, and is still listed as deleted'] : []),
  ]
}
