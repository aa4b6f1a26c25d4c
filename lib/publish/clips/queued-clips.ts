import { listClips, readClip, writeClip } from '../../records/clip-records.ts'
import type { Services } from '../../services.ts'
import { clipExecutionName } from '../../show/document/fields/names.ts'
import type { ShowRequest } from '../../show/state/request.ts'
import type { RecordingState } from '../../show/state/resources.ts'
import type { ShowResult } from '../../show/state/result.ts'
import type { ShowState } from '../../show/state/state.ts'
import { type ClipRecord, isQueuedClip } from '../manifest/clip.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { MIN_CLIP } from './clip-span.ts'
import { recordClipOutcome } from './publish-clip.ts'

/** A part of a recording that runs or has run, with its archive. */
export interface ArchivedPart extends Pick<RecordingState, 'name' | 'part'> {
  readonly archiveId: string
  /** Milliseconds since the epoch. */
  readonly start: number
}

/**
 * Returns the parts of a show's recordings of which clips can be cut later, in the order of their starts. All are of one recording:
 * the first one that is published by HLS. An individual recording has HLS of its composite only.
 */
export function queueableParts(
  { show }: Pick<ShowRequest, 'show'>,
  { recordings }: Pick<ShowState, 'recordings'>,
): ArchivedPart[] {
  const hasHls = (name: string) => {
    const order = show.recordings.find((one) => one.name === name)
    const formats = order?.publish?.formats ?? show.publish.formats
    return formats.includes('hls') && (order?.outputMode !== 'individual' || formats.includes('composite'))
  }
  const parts = recordings.flatMap(({ name, part, archiveId, createdAt }) =>
    archiveId !== undefined && createdAt !== undefined && hasHls(name)
      ? { name, part, archiveId, start: Date.parse(createdAt) }
      : [],
  )
  return parts.filter(({ name }) => name === parts[0]?.name).sort((one, other) => one.start - other.start)
}

/**
 * Has the clips cut that waited for a recording, which is published now. Those that it does not contain have failed. A repeated call
 * starts what an earlier one has not.
 */
export async function releaseQueuedClips(
  { archiveId, duration, source, files, keepDays }: Manifest,
  services: Pick<Services, 'storage' | 'records' | 'events' | 'clock' | 'publishExecutions'>,
): Promise<void> {
  const { storage, publishExecutions } = services
  const hasHls = files.some(({ role }) => role === 'hls')
  for (const clip of await listClips(storage, archiveId)) {
    const { clipId } = clip
    if (mayBeUnnotified(clip)) await recordClipOutcome(services, { archiveId, clipId, file: null })
    if (!isQueuedClip(clip)) continue
    const stored = await readClip(storage, archiveId, clipId)
    if (!stored) continue // deleted meanwhile
    const { document, etag } = stored
    const problem = !hasHls
      ? 'The recording has no HLS, of which clips are cut.'
      : duration === null || document.from > duration - MIN_CLIP
        ? 'The recording ended before the clip.'
        : undefined
    if (problem !== undefined) {
      await recordClipOutcome(services, { archiveId, clipId, file: null, problem })
      continue
    }
    const to = Math.min(document.to, duration ?? 0)
    const isNew = document.status === 'queued'
    if (isNew && !(await writeClip(storage, { ...document, to, status: 'cutting' }, { etag, keepDays }))) continue
    const input = { bucket: storage.bucket, key: source.key, etag: source.etag ?? '', clip: { archiveId, clipId } }
    await publishExecutions.start(clipExecutionName(archiveId, clipId), input)
  }
}

/** Records that the clips that waited for a recording have failed, and notifies the owner. */
export async function failQueuedClips(
  archiveId: string,
  problem: string,
  services: Pick<Services, 'storage' | 'records' | 'events' | 'clock'>,
): Promise<void> {
  for (const clip of await listClips(services.storage, archiveId)) {
    if (clip.status !== 'queued' && !mayBeUnnotified(clip)) continue
    await recordClipOutcome(services, { archiveId, clipId: clip.clipId, file: null, problem })
  }
}

/**
 * Matches a clip that failed while it waited. An earlier attempt may have ended between its record and its event; a second event has
 * the same id.
 */
const mayBeUnnotified = ({ queued, status }: ClipRecord) => queued !== undefined && status === 'failed'

/** Fails the clips that waited for recordings which a show has lost. */
export async function failClipsOfLost(
  { recordings }: Pick<ShowResult, 'recordings'>,
  services: Pick<Services, 'storage' | 'records' | 'events' | 'clock'>,
): Promise<void> {
  for (const { archiveId, lost } of recordings)
    if (archiveId !== undefined && lost !== undefined)
      await failQueuedClips(archiveId, `The recording is lost: ${lost}`, services)
}
