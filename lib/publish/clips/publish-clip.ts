import { eventOfClip } from '../../events/owner-event-contents.ts'
import { readClip, writeClip } from '../../records/clip-records.ts'
import type { Services, TaskRun } from '../../services.ts'
import { StorageError } from '../../tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { type ClipRecord, liveOriginOf } from '../manifest/clip.ts'
import type { Manifest } from '../manifest/manifest.ts'

type Reach = Pick<Services, 'storage' | 'records' | 'events' | 'clock'>

/** Records the MP4 of a clip, or why there is none, and notifies the owner. A clip that was deleted meanwhile stays deleted. */
export async function recordClipOutcome(
  services: Reach,
  input: TaskInput<'publishClip'>,
): Promise<TaskOutput<'publishClip'>> {
  const { storage, records, events, clock } = services
  const { archiveId, clipId, file, problem = null } = input
  const stored = await readClip(storage, archiveId, clipId)
  const origin = stored && (await originOf(stored.document, services))
  if (!stored || !origin) return { clipId, status: 'deleted' }
  const { document, etag } = stored
  const clip =
    document.status === 'cutting' || document.status === 'queued'
      ? {
          ...document,
          ...{
            status: file ? ('published' as const) : ('failed' as const),
            endedAt: new Date(clock.now()).toISOString(),
          },
          ...(file ? { file } : { problem: problem ?? 'The MP4 could not be cut.' }),
        }
      : document // of an earlier attempt
  if (clip !== document && !(await writeClip(storage, clip, { etag, keepDays: origin.keepDays })))
    throw new StorageError(`The clip ${clipId} was changed while it was published.`)
  const request = origin.show && (await records.readRequest(origin.show.showId))
  const event = eventOfClip(origin, clip, request?.show.labels)
  await events.publish({ ...event, callback: request?.show.callback !== undefined })
  return { clipId, status: clip.status }
}

/** Records the outcome of cutting a clip. */
export const publishClip: TaskRun<'publishClip', keyof Reach> = recordClipOutcome

/** Returns the show and the retention of a clip: those of its recording, or of the live show. A queued clip may have no recording yet. */
async function originOf(
  clip: ClipRecord,
  { records }: Pick<Services, 'records'>,
): Promise<Pick<Manifest, 'show' | 'keepDays'> | undefined> {
  const { live, queued, archiveId } = clip
  const manifest = live ? undefined : await records.readManifest(archiveId)
  if (manifest) return manifest
  const show = liveOriginOf(clip)
  return show && { show, ...keeping((live ?? queued)?.keepDays) }
}

const keeping = (keepDays: Manifest['keepDays'] | null) =>
  keepDays !== null && keepDays !== undefined ? { keepDays } : {}
