import { eventOfClip } from '../../events/owner-event-contents.ts'
import { readClip, writeClip } from '../../records/clip-records.ts'
import type { Services, TaskRun } from '../../services.ts'
import { StorageError } from '../../tasks/errors.ts'

type Reach = Pick<Services, 'storage' | 'records' | 'events' | 'clock'>

/** Records the MP4 of a clip, or why there is none, and notifies the owner. A clip that was deleted meanwhile stays deleted. */
export const publishClip: TaskRun<'publishClip', keyof Reach> = async (services, input) => {
  const { storage, records, events, clock } = services
  const { archiveId, clipId, file, problem = null } = input
  const [manifest, stored] = await Promise.all([records.readManifest(archiveId), readClip(storage, archiveId, clipId)])
  if (!manifest || !stored) return { clipId, status: 'deleted' }
  const { document, etag } = stored
  const clip =
    document.status === 'cutting'
      ? {
          ...document,
          ...{
            status: file ? ('published' as const) : ('failed' as const),
            endedAt: new Date(clock.now()).toISOString(),
          },
          ...(file ? { file } : { problem: problem ?? 'The MP4 could not be cut.' }),
        }
      : document // of an earlier attempt
  if (clip !== document && !(await writeClip(storage, clip, { etag, keepDays: manifest.keepDays })))
    throw new StorageError(`The clip ${clipId} was changed while it was published.`)
  const request = manifest.show && (await records.readRequest(manifest.show.showId))
  const event = eventOfClip(manifest, clip, request?.show.labels)
  await events.publish({ ...event, callback: request?.show.callback !== undefined })
  return { clipId, status: clip.status }
}
