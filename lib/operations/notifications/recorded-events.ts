import { eventOfEntry, eventOfPublication } from '../../events/owner-event-contents.ts'
import { isOwnerEventKind, type OwnerEvent } from '../../events/owner-events.ts'
import type { Services } from '../../services.ts'
import { identityOf } from '../../show/state/timeline-events.ts'

type EventReference = Pick<OwnerEvent, 'id' | 'archiveId'> & { readonly showId: string }

/**
 * Reads an event of a show from the records: from the show's timeline, or from the manifest of a published recording. A forged
 * event on the bus therefore has no effect.
 * @returns undefined if the records hold no such event
 */
export async function readRecordedEvent(
  { shows, records }: Pick<Services, 'shows' | 'records'>,
  { id, showId, archiveId }: EventReference,
): Promise<OwnerEvent | undefined> {
  const { labels } = (await shows.request(showId)).show
  const state = await shows.state(showId)
  const entry = state.timeline.find((one) => isOwnerEventKind(one.what) && id === `${showId}/${identityOf(one)}`)
  if (entry) return eventOfEntry(entry, state, { labels })
  const manifest = archiveId === undefined ? undefined : await records.readManifest(archiveId)
  if (manifest?.show?.showId !== showId) return undefined
  const events = (manifest.publications ?? []).map((one) => eventOfPublication(manifest, one, labels))
  return events.find((event) => event.id === id)
}
