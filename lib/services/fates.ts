import type { Archive } from '../platform/contract/archives.ts'
import type { RecordingResult, RecordingState } from '../workflow/documents.ts'
import { keys } from '../workflow/keys.ts'
import { tagOfArchive } from './adoption.ts'
import type { Storage } from './storage.ts'

/** Whether an archive's file is still on its way. */
export const isUnderWay = ({ status }: Pick<Archive, 'status'>) =>
  status === 'started' || status === 'paused' || status === 'stopped'

/** The archive of a recording, by its id or, where the start's answer was lost, by its tag. */
export const archiveOf = ({ archiveId, tag }: RecordingState, archives: readonly Archive[]) =>
  archives.find(({ id }) => id === archiveId) ?? archives.find((archive) => tagOfArchive(archive) === tag)

/** What became of a recording: its bytes in the bucket with the size the platform reports, or why they are not there. */
export async function fateOf(
  recording: RecordingState,
  archive: Archive | undefined,
  storage: Pick<Storage, 'sizeOf'>,
): Promise<RecordingResult> {
  if (!archive) return { ...recording, lost: whyNotThere(recording) }
  const { id: archiveId, status, reason, duration, size } = archive
  const key = keys.archive(archive.projectId, archiveId)
  const createdAt = new Date(archive.createdAt).toISOString()
  const known = { ...recording, archiveId, createdAt, status, reason, duration, size }
  if (status !== 'uploaded' && status !== 'available') return { ...known, lost: whyNotUploaded(archive) }
  const stored = await storage.sizeOf(key)
  if (stored === size) return { ...known, key, ...(status === 'available' && { rescued: true }) }
  if (status === 'available') return { ...known, lost: whyNotUploaded(archive) }
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
  if (status === 'failed') return `The platform could not record or upload it${reason ? ` (${reason})` : ''}.`
  return `The platform says it is ${status}.`
}
