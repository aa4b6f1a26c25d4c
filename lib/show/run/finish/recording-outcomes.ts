import type { Storage } from '../../../aws/storage/storage.ts'
import type { Archive } from '../../../platform/client/answers.ts'
import { keys } from '../../state/keys.ts'
import type { RecordingState } from '../../state/resources.ts'
import type { RecordingResult } from '../../state/result.ts'
import { tagOfArchive } from '../composed-resources.ts'

/** Statuses after which no file arrives any more; one that the contract does not list is none of them. */
const SETTLED: readonly Archive['status'][] = ['uploaded', 'available', 'expired', 'deleted', 'failed']

/** Whether an archive's file is still on its way. */
export const isUnderWay = ({ status }: Pick<Archive, 'status'>) => !SETTLED.includes(status)

/** The archive of a part, by its id or, where the start's answer was lost, by its tag. */
export const archiveOf = ({ archiveId, tag }: RecordingState, archives: readonly Archive[]) =>
  archives.find(({ id }) => id === archiveId) ?? archives.find((archive) => tagOfArchive(archive) === tag)

/** Statuses in which the bucket may hold the file: it was uploaded, or was rescued before the platform deleted its own. */
const NEVER_STORED: readonly Archive['status'][] = ['started', 'paused', 'stopped', 'failed']

/** What became of a part: its bytes in the bucket with the size the platform reports, or why they are not there. */
export async function outcomeOf(
  recording: RecordingState,
  archive: Archive | undefined,
  storage: Pick<Storage, 'sizeOf'>,
): Promise<RecordingResult> {
  if (!archive) return { ...recording, lost: whyNotThere(recording) }
  const { id: archiveId, status, reason, duration, size, sha256sum } = archive
  const key = keys.archive(archive.projectId, archiveId, archive.outputMode)
  const createdAt = new Date(archive.createdAt).toISOString()
  const sha256 = sha256sum ? { sha256: Buffer.from(sha256sum, 'base64').toString('hex') } : {}
  const known = { ...recording, archiveId, createdAt, status, ...(reason && { reason }), duration, size, ...sha256 }
  if (NEVER_STORED.includes(status)) return { ...known, lost: whyNotUploaded(archive) }
  const stored = await storage.sizeOf(key)
  if (stored === size && size > 0) return { ...known, key, ...(status === 'available' && { rescued: true }) }
  if (status !== 'uploaded') return { ...known, lost: whyNotUploaded(archive) }
  const lost =
    stored === undefined
      ? 'The platform uploaded it, but not to this bucket: see whether another deployment uses the same platform project.'
      : `The bucket holds ${stored} bytes of the ${size} that the platform reports.`
  return { ...known, lost }
}

const whyNotThere = ({ archiveId, problem }: RecordingState) =>
  problem ?? (archiveId ? 'The platform does not know it any more.' : 'It was never started.')

function whyNotUploaded({ status, reason }: Archive): string {
  if (isUnderWay({ status })) return `It had not arrived when waiting ended; the platform says ${status}.`
  if (status === 'available') return 'Its upload failed; the platform keeps the file for 72 hours.'
  if (status === 'expired') return 'Its upload failed, and the platform has deleted the file after 72 hours.'
  if (status === 'deleted') return 'Somebody has deleted it.'
  if (status === 'failed') return `The platform could not record or upload it${reason ? ` (${reason})` : ''}.`
  return `The platform says it is ${status}.`
}

/** Seconds that each part and the one before it both hold, where the one before was stopped because the next one ran. */
export function withOverlaps(results: readonly RecordingResult[]): RecordingResult[] {
  return results.map((result) => {
    const before = results.find(({ name, part }) => name === result.name && part === result.part - 1)
    if (!before?.stoppedAt || !result.createdAt) return result
    const overlap = (Date.parse(before.stoppedAt) - Date.parse(result.createdAt)) / 1000
    return overlap > 0 ? { ...result, overlap } : result
  })
}
