import { eventOfClip, eventOfEntry, eventOfPublication } from '../../events/owner-event-contents.ts'
import { isOwnerEventKind, type OwnerEvent } from '../../events/owner-events.ts'
import { hasOutcome, liveOriginOf } from '../../publish/manifest/clip.ts'
import type { Manifest } from '../../publish/manifest/manifest.ts'
import { listClips } from '../../records/clip-records.ts'
import type { Services } from '../../services.ts'
import { isJoinedId } from '../../show/document/fields/names.ts'
import { allSettledLimited, firstRetryable } from '../../show/run/concurrency.ts'
import { publishedIdsOf } from '../../show/state/part-entries.ts'
import type { ShowRequest } from '../../show/state/request.ts'
import type { ShowState } from '../../show/state/state.ts'

type Labels = ShowRequest['show']['labels']

/**
 * Lists the owner events of a show from the records, the oldest first: from its timeline, from the manifests of its
 * recordings, and from the clips of these and of its broadcasts.
 */
export async function listRecordedEvents(
  services: Pick<Services, 'shows' | 'records' | 'storage'>,
  state: ShowState,
): Promise<OwnerEvent[]> {
  const { labels } = (await services.shows.request(state.showId)).show
  const outcomes = await allSettledLimited(
    sourcesOf(state).map((id) => () => eventsOfSource(services, state.showId, id, labels)),
  )
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (failures.length > 0) throw firstRetryable(failures)
  return [
    ...state.timeline.filter(({ what }) => isOwnerEventKind(what)).map((one) => eventOfEntry(one, state, { labels })),
    ...outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || (one.id < other.id ? -1 : 1))
}

/** Returns the ids of all that has events: of recordings, and of broadcasts of which clips may have been cut. */
const sourcesOf = ({ recordings, broadcasts }: ShowState): string[] => [
  ...publishedIdsOf({ recordings }),
  ...broadcasts.flatMap(({ broadcastId }) => broadcastId ?? []),
]

async function eventsOfSource(
  { records, storage }: Pick<Services, 'records' | 'storage'>,
  showId: string,
  id: string,
  labels: Labels,
): Promise<OwnerEvent[]> {
  const [found, clips] = await Promise.all([records.readManifestIfOwn(id), listClips(storage, id)])
  const manifest = found?.show?.showId === showId ? found : undefined
  return [
    ...(manifest ? publicationsOf(manifest).map((one) => eventOfPublication(manifest, one, labels)) : []),
    ...clips.filter(hasOutcome).flatMap((one) => {
      const show = liveOriginOf(one) ?? manifest?.show // a lost recording has no manifest
      return show?.showId === showId ? [eventOfClip({ show }, one, labels)] : []
    }),
  ]
}

/** Returns the publications of a recording. An older joined recording has copied those of its first part. */
const publicationsOf = ({ archiveId, publications = [] }: Manifest) => (isJoinedId(archiveId) ? [] : publications)
