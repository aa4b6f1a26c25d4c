import type { ClipRecord } from '../publish/manifest/clip.ts'
import type { Manifest } from '../publish/manifest/manifest.ts'
import type { ShowRequest } from '../show/state/request.ts'
import type { ShowState } from '../show/state/state.ts'
import type { TimelineEntry } from '../show/state/timeline.ts'
import { identityOf } from '../show/state/timeline-events.ts'
import type { OwnerEvent } from './owner-events.ts'

export function eventOfEntry(
  entry: TimelineEntry,
  state: ShowState,
  { labels }: Pick<ShowRequest['show'], 'labels'>,
): OwnerEvent {
  const { what, at, name, part, id: output, detail } = entry
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
    ...(what.startsWith('output.') && output !== undefined && { output }),
    ...(state.sessionId && { sessionId: state.sessionId }),
    ...(recording?.archiveId && { archiveId: recording.archiveId }),
    ...(broadcast?.hls && { hls: broadcast.hls }),
    ...(what === 'show.ended' && { status: state.status }),
    ...(detail && { reason: detail }),
    labels,
  }
}

/** Returns the event for a publication of an archive. @param labels of the show that recorded it, if any */
export function eventOfPublication(
  { archiveId, show }: Pick<Manifest, 'archiveId' | 'show'>,
  { executionName, status, at, message }: NonNullable<Manifest['publications']>[number],
  labels: OwnerEvent['labels'],
): OwnerEvent {
  const about = show ? [show.showId, 'recording.published', show.name, show.part] : [archiveId, 'recording.published']
  return {
    id: [...about, executionName, status].join('/'), // a retry of a failed publish may succeed
    event: 'recording.published',
    at,
    ...show,
    archiveId,
    status,
    ...(message && { reason: message }),
    ...(labels && { labels }),
  }
}

/** Returns the event for a clip whose MP4 was published, or could not be made. @param labels of the show, if any */
export function eventOfClip(
  { show }: Pick<Manifest, 'show'>,
  { archiveId, clipId, live, status, endedAt, createdAt, problem }: ClipRecord,
  labels: OwnerEvent['labels'],
): OwnerEvent {
  return {
    id: [show?.showId ?? archiveId, 'clip.published', archiveId, clipId].join('/'),
    event: 'clip.published',
    at: endedAt ?? createdAt,
    ...show,
    ...(!live && { archiveId }),
    clipId,
    status,
    ...(problem && { reason: problem }),
    ...(labels && { labels }),
  }
}
