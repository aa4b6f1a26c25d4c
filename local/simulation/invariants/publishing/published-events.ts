import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import type { Evidence } from '../evidence.ts'
import { deletedIn } from '../requests/edits-of.ts'
import { isAccepted } from '../requests/judgements.ts'
import { type ArchiveFile, archiveFilesIn, isFaulty, isGivenUp, manifestIn, mayBeUnknown } from './archive-files.ts'

type Seen = Pick<Evidence, 'objects' | 'executions' | 'events' | 'leftOut' | 'messages' | 'trace' | 'apiRequests'>

/**
 * Checks the events `recording.published` by docs/callbacks.md: each publication has one with its status, and each event has
 * a publication. It names the show, the recording and its part, and the reason of a failure. `ready` is first. A publish that
 * faults have ended may have no event: an alarm rings instead.
 */
export function publishedEvents(evidence: Seen): string[] {
  if ('StartPublish' in evidence.leftOut) return []
  const events = evidence.events.map(({ detail }) => detail as OwnerEvent).filter(isPublication)
  const byArchive = Map.groupBy(events, ({ archiveId }) => archiveId ?? '')
  const deleted = deletedIn(evidence)
  const files = new Map(archiveFilesIn(evidence).map((file) => [file.archiveId, file]))
  return [
    ...[...files.values()].flatMap((file) => problemsOf(file, byArchive.get(file.archiveId) ?? [], evidence)),
    ...[...byArchive.keys()]
      .filter((archiveId) => !files.has(archiveId) && !deleted.has(archiveId))
      .map((archiveId) => `an event reports that ${archiveId} is published, which has no file`),
  ]
}

const isPublication = ({ event }: OwnerEvent) => event === 'recording.published'

function problemsOf(file: ArchiveFile, events: readonly OwnerEvent[], evidence: Seen): string[] {
  const { objects, trace } = evidence
  const { archiveId } = file
  const isEndedByFaults = isGivenUp(file, evidence) && isFaulty(file, trace)
  const { publications = [], show } = manifestIn(objects, archiveId) ?? {}
  const statuses = (all: readonly { readonly status?: string | undefined }[]) =>
    new Set(all.map(({ status }) => status))
  const [published, notified] = [statuses(publications), statuses(events)]
  const first = events.findIndex(({ status }) => status === 'complete')
  const last = events.findLastIndex(({ status }) => status === 'ready')
  const order = events.slice(0, first + 1).some(({ status }) => status === 'ready')
  return [
    ...[...(isEndedByFaults ? [] : published.difference(notified))].map(
      (status) => `the owner is not notified that it is ${status}`,
    ),
    ...[...(isAccepted(evidence, archiveId) ? [] : notified.difference(published))].map(
      (status) => `an event reports that it is ${status}`,
    ),
    ...(first >= 0 && last >= 0 && !order ? ['it is reported as complete before it is ready'] : []),
    ...events.flatMap(({ showId, name, part, status, reason }) => [
      ...((showId === show?.showId && name === show?.name && part === show?.part) ||
      ((!showId || !show) && mayBeUnknown(file, trace))
        ? []
        : ['an event names another show']),
      ...(status === 'failed' && !reason ? ['an event of its failure has no reason'] : []),
    ]),
  ].map((problem) => `of the recording ${archiveId} ${problem}`)
}
