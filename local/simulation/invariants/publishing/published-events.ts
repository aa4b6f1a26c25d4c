import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import type { Evidence } from '../evidence.ts'
import { archiveFilesIn, manifestIn } from './archive-files.ts'

/**
 * Checks the events `recording.published` by docs/callbacks.md: each publication has one with its status, and each event has
 * a publication. It names the show, the recording and its part, and the reason of a failure. `ready` is first.
 */
export function publishedEvents(evidence: Pick<Evidence, 'objects' | 'executions' | 'events' | 'leftOut'>): string[] {
  if ('StartPublish' in evidence.leftOut) return []
  const events = evidence.events.map(({ detail }) => detail as OwnerEvent).filter(isPublication)
  const byArchive = Map.groupBy(events, ({ archiveId }) => archiveId ?? '')
  const files = new Set(archiveFilesIn(evidence).map(({ archiveId }) => archiveId))
  return [
    ...[...files].flatMap((archiveId) => problemsOf(archiveId, byArchive.get(archiveId) ?? [], evidence)),
    ...[...byArchive.keys()]
      .filter((archiveId) => !files.has(archiveId))
      .map((archiveId) => `an event reports that ${archiveId} is published, which has no file`),
  ]
}

const isPublication = ({ event }: OwnerEvent) => event === 'recording.published'

function problemsOf(
  archiveId: string,
  events: readonly OwnerEvent[],
  { objects }: Pick<Evidence, 'objects'>,
): string[] {
  const { publications = [], show } = manifestIn(objects, archiveId) ?? {}
  const statuses = (all: readonly { readonly status?: string | undefined }[]) =>
    new Set(all.map(({ status }) => status))
  const [published, notified] = [statuses(publications), statuses(events)]
  const first = events.findIndex(({ status }) => status === 'complete')
  const last = events.findLastIndex(({ status }) => status === 'ready')
  const order = events.slice(0, first + 1).some(({ status }) => status === 'ready')
  return [
    ...[...published.difference(notified)].map((status) => `the owner is not notified that it is ${status}`),
    ...[...notified.difference(published)].map((status) => `an event reports that it is ${status}`),
    ...(first >= 0 && last >= 0 && !order ? ['it is reported as complete before it is ready'] : []),
    ...events.flatMap(({ showId, name, part, status, reason }) => [
      ...(showId === show?.showId && name === show?.name && part === show?.part ? [] : ['an event names another show']),
      ...(status === 'failed' && !reason ? ['an event of its failure has no reason'] : []),
    ]),
  ].map((problem) => `of the recording ${archiveId} ${problem}`)
}
