import type { Storage } from '../../../aws/storage/storage.ts'
import type { Archive } from '../../../platform/client/answers.ts'
import { keys } from '../../state/keys.ts'
import type { RecordingState } from '../../state/resources.ts'
import type { RecordingResult } from '../../state/result.ts'
import { carriedTag } from '../composed-resources.ts'

/** Statuses after which no file arrives any more. A status that the contract does not list is not one of them. */
const SETTLED: readonly Archive['status'][] = ['uploaded', 'available', 'expired', 'deleted', 'failed']

/** Returns whether an archive's file may still arrive. */
export const isUnderWay = ({ status }: Pick<Archive, 'status'>) => !SETTLED.includes(status)

/** Returns the archive of a part, by its id or, after a lost answer, by its tag. */
export const archiveOf = ({ archiveId, tag }: RecordingState, archives: readonly Archive[]) =>
  archives.find(({ id }) => id === archiveId) ?? archives.find((archive) => carriedTag(archive) === tag)

/** Statuses without a file in the bucket. In any other status, the file was uploaded or may have been rescued. */
const NEVER_STORED: readonly Archive['status'][] = ['started', 'paused', 'stopped', 'failed']

/** Returns the outcome of a part: its file in the bucket with the size that the platform reports, or why it is lost. */
export async function recordingOutcomeOf(
  storage: Pick<Storage, 'sizeOf'>,
  recording: RecordingState,
  archive: Archive | undefined,
): Promise<RecordingResult> {
  if (!archive) return { ...recording, lost: whyMissing(recording) }
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
      ? 'The platform uploaded it, but not to this bucket: check whether another deployment uses the same platform project.'
      : `The bucket holds ${stored} bytes of the ${size} that the platform reports.`
  return { ...known, lost }
}

const whyMissing = ({ archiveId, problem }: RecordingState) =>
  problem ?? (archiveId ? 'The platform does not know it any more.' : 'It was never started.')

function whyNotUploaded({ status, reason }: Archive): string {
  if (isUnderWay({ status })) return `It had not arrived when waiting ended; its status is ${status}.`
  if (status === 'available') return 'Its upload failed; the platform keeps the file for 72 hours.'
  if (status === 'expired') return 'Its upload failed, and the platform deleted the file after 72 hours.'
  if (status === 'deleted') return 'It was deleted on the platform.'
  if (status === 'failed') return `The platform could not record or upload it${reason ? ` (${reason})` : ''}.`
  return `Its status on the platform is ${status}.`
}

/** Adds the seconds that a part has in common with the part before, if that was stopped because the next one ran. */
export function withOverlaps(results: readonly RecordingResult[]): RecordingResult[] {
  return results.map((result) => {
    const before = results.find(({ name, part }) => name === result.name && part === result.part - 1)
    if (!before?.stoppedAt || !result.createdAt) return result
    const overlap = (Date.parse(before.stoppedAt) - Date.parse(result.createdAt)) / 1000
    return overlap > 0 ? { ...result, overlap } : result
  })
}
