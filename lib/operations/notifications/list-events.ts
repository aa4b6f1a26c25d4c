import { eventOfClip, eventOfEntry, eventOfPublication } from '../../events/owner-event-contents.ts'
import { isOwnerEventKind, type OwnerEvent } from '../../events/owner-events.ts'
import { listClips } from '../../records/clip-records.ts'
import type { Services } from '../../services.ts'
import { isJoinedId, joinedId } from '../../show/document/fields/names.ts'
import { allSettledLimited, firstRetryable } from '../../show/run/concurrency.ts'
import type { ShowRequest } from '../../show/state/request.ts'
import type { ShowState } from '../../show/state/state.ts'

type Labels = ShowRequest['show']['labels']

/**
 * Lists the owner events of a show from the records, the oldest first: from its timeline, from the manifests of its
 * recordings, and from their clips.
 */
export async function listRecordedEvents(
  services: Pick<Services, 'shows' | 'records' | 'storage'>,
  state: ShowState,
): Promise<OwnerEvent[]> {
  const { labels } = (await services.shows.request(state.showId)).show
  const outcomes = await allSettledLimited(
    archivesOf(state).map((archiveId) => () => eventsOfArchive(services, state.showId, archiveId, labels)),
  )
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (failures.length > 0) throw firstRetryable(failures)
  return [
    ...state.timeline.filter(({ what }) => isOwnerEventKind(what)).map((one) => eventOfEntry(one, state, { labels })),
    ...outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || (one.id < other.id ? -1 : 1))
}

/** Returns the archives of a show, and the ids under which its recordings of several parts are published as one. */
function archivesOf({ recordings }: ShowState): string[] {
  const withSeveral = new Set(recordings.filter(({ part }) => part > 1).map(({ name }) => name))
  return recordings.flatMap(({ name, part, archiveId }) => {
    if (archiveId === undefined) return []
    return part === 1 && withSeveral.has(name) ? [archiveId, joinedId(archiveId)] : [archiveId]
  })
}

async function eventsOfArchive(
  { records, storage }: Pick<Services, 'records' | 'storage'>,
  showId: string,
  archiveId: string,
  labels: Labels,
): Promise<OwnerEvent[]> {
  const manifest = await records.readManifestIfOwn(archiveId)
  if (manifest?.show?.showId !== showId) return []
  const clips = (await listClips(storage, archiveId)).filter(({ status }) => status !== 'cutting')
  // An older joined recording has those of its first part.
  const publications = isJoinedId(archiveId) ? [] : (manifest.publications ?? [])
  return [
    ...publications.map((one) => eventOfPublication(manifest, one, labels)),
    ...clips.map((one) => eventOfClip(manifest, one, labels)),
  ]
}
