import { eventOfClip, eventOfEntry, eventOfPublication } from '../../events/owner-event-contents.ts'
import { isOwnerEventKind, type OwnerEvent } from '../../events/owner-events.ts'
import { hasOutcome, liveOriginOf } from '../../publish/manifest/clip.ts'
import { readClip } from '../../records/clip-records.ts'
import type { Services } from '../../services.ts'
import { identityOf } from '../../show/state/timeline-events.ts'

type EventReference = Pick<OwnerEvent, 'id' | 'archiveId'> & { readonly showId: string }

/**
 * Reads an event of a show from the records: from the show's timeline, from the manifest of a published recording, or
 * from the record of a clip. A forged event on the bus therefore has no effect.
 * @returns undefined if the records hold no such event
 */
export async function readRecordedEvent(
  { shows, records, storage }: Pick<Services, 'shows' | 'records' | 'storage'>,
  { id, showId, archiveId }: EventReference,
): Promise<OwnerEvent | undefined> {
  const { labels } = (await shows.request(showId)).show
  const state = await shows.state(showId)
  const entry = state.timeline.find((one) => isOwnerEventKind(one.what) && id === `${showId}/${identityOf(one)}`)
  if (entry) return eventOfEntry(entry, state, { labels })
  const [, source = '', clipId] = /\/clip\.published\/(.*)\/([0-9a-f]{16})$/.exec(id) ?? []
  const clip = clipId === undefined ? undefined : (await readClip(storage, source, clipId))?.document
  const isOver = clip !== undefined && hasOutcome(clip)
  const show = clip && liveOriginOf(clip)
  if (show) return isOver && show.showId === showId ? eventOfClip({ show }, clip, labels) : undefined
  const manifest = archiveId === undefined ? undefined : await records.readManifest(archiveId)
  if (manifest?.show?.showId !== showId) return undefined
  if (clip) return isOver && source === manifest.archiveId ? eventOfClip(manifest, clip, labels) : undefined
  const events = (manifest.publications ?? []).map((one) => eventOfPublication(manifest, one, labels))
  return events.find((one) => one.id === id)
}
