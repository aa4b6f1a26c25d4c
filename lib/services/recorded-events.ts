import type { Manifest } from '../workflow/documents/manifest.ts'
import type { ShowRequest } from '../workflow/documents/request.ts'
import type { ShowState } from '../workflow/documents/state.ts'
import type { TimelineEntry } from '../workflow/documents/timeline.ts'
import { isTold, type OwnerEvent } from '../workflow/owner-events.ts'
import { identityOf } from '../workflow/timeline.ts'
import type { Services } from './services.ts'

/** What an event names: enough to find it in the records. */
export type EventReference = Pick<OwnerEvent, 'id' | 'archiveId'> & { readonly showId: string }

/** Returns the event for an entry of a show's timeline. */
export function eventOfEntry(
  entry: TimelineEntry,
  state: ShowState,
  { labels }: Pick<ShowRequest['show'], 'labels'>,
): OwnerEvent {
  const { what, at, name, part, detail } = entry
  const isSame = (one: { name: string; part: number }) => one.name === name && one.part === (part ?? 1)
  const recording = what.startsWith('recording.') ? state.recordings.find(isSame) : undefined
  const broadcast = what.startsWith('broadcast.') ? state.broadcasts.find(isSame) : undefined
  return {
    id: `${state.showId}/${identityOf(entry)}`,
    event: what as OwnerEvent['event'],
    at,
    showId: state.showId,
    ...(name !== undefined && { name }),
    ...(part !== undefined && { part }),
    ...(state.sessionId && { sessionId: state.sessionId }),
    ...(recording?.archiveId && { archiveId: recording.archiveId }),
    ...(broadcast?.hls && { hls: broadcast.hls }),
    ...(what === 'show.ended' && { status: state.status }),
    ...(detail && { reason: detail }),
    labels,
  }
}

/** Returns the event for a publication of an archive. @param labels of the show that recorded it, if one did */
export function eventOfPublication(
  { archiveId, show }: Pick<Manifest, 'archiveId' | 'show'>,
  { executionName, status, at, message }: NonNullable<Manifest['publications']>[number],
  labels: OwnerEvent['labels'],
): OwnerEvent {
  const about = show ? [show.showId, 'recording.published', show.name, show.part] : [archiveId, 'recording.published']
  return {
    id: [...about, executionName, status].join('/'), // a publish that has failed may succeed when it is tried again
    event: 'recording.published',
    at,
    ...show,
    archiveId,
    status,
    ...(message && { reason: message }),
    ...(labels && { labels }),
  }
}

/**
 * Reads an event of a show from the records: from the show's timeline or, of a published recording, from its manifest.
 * Whoever can put an event on a bus can only have those repeated that are true.
 * @returns undefined if the records hold no such event
 */
export async function readRecordedEvent(
  { shows, records }: Pick<Services, 'shows' | 'records'>,
  { id, showId, archiveId }: EventReference,
): Promise<OwnerEvent | undefined> {
  const { labels } = (await shows.request(showId)).show
  const state = await shows.state(showId)
  const entry = state.timeline.find((one) => isTold(one.what) && id === `${showId}/${identityOf(one)}`)
  if (entry) return eventOfEntry(entry, state, { labels })
  const manifest = archiveId === undefined ? undefined : await records.readManifest(archiveId)
  if (manifest?.show?.showId !== showId) return undefined
  const events = (manifest.publications ?? []).map((one) => eventOfPublication(manifest, one, labels))
  return events.find((event) => event.id === id)
}
