import { archiveReasons } from '../../platform/contract/archives.ts'
import type { Services } from '../../services.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import type { BroadcastState, RecordingState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'
import { isAlreadyEnded, isGone, onError } from './platform-errors.ts'
import { broadcastOrderOf, type Part, startBroadcastPart, startRecordingPart } from './start-parts.ts'
import { choicesOf, chooseStreams } from './stream-selection.ts'

/** What a state is changed by, once a part has begun or ended. */
export type RolledRecording = Pick<RecordingState, 'name' | 'part'> & Partial<RecordingState>
export type RolledBroadcast = Pick<BroadcastState, 'name' | 'part'> & Partial<BroadcastState>

/** Starts a further part of a recording, which goes on with the streams that were chosen for the last one. */
export async function nextRecordingPart(services: Services, part: Part, state: ShowState): Promise<RolledRecording> {
  const { show } = await services.shows.request(part.showId)
  const before = state.recordings.find((one) => one.name === part.name && one.part === part.part - 1)
  const isManual = show.recordings.find(({ name }) => name === part.name)?.streamMode === 'manual'
  const platform = await services.platform()
  const choices =
    isManual && before?.archiveId ? choicesOf(await platform.getArchive({ archiveId: before.archiveId })) : []
  const started: TaskOutput<'startRecording'> = await startRecordingPart(services, part)
  await chooseStreams(platform, { archiveId: started.archiveId }, choices)
  return started
}

/** The same of a broadcast; where the two must not run at once, the one before is stopped in between. */
export async function nextBroadcastPart(
  services: Services,
  part: Part,
  { state, isHandedOver }: { state: ShowState; isHandedOver: boolean },
): Promise<RolledBroadcast[]> {
  const { show } = await services.shows.request(part.showId)
  const before = state.broadcasts.find((one) => one.name === part.name && one.part === part.part - 1)
  const isManual = broadcastOrderOf(part.name, show.broadcasts, state)?.streamMode === 'manual'
  const platform = await services.platform()
  const choices =
    isManual && before?.broadcastId ? choicesOf(await platform.getBroadcast({ broadcastId: before.broadcastId })) : []
  const stopped = isHandedOver && before ? [await stopBroadcastPart(services, before)] : []
  const started: TaskOutput<'startBroadcast'> = await startBroadcastPart(services, part)
  await chooseStreams(platform, { broadcastId: started.broadcastId }, choices)
  return [...stopped, started]
}

/** Gives parts that have just begun the layout that stands in the state by now: it may be younger than their start. */
export async function layOut(
  { platform }: Pick<Services, 'platform'>,
  { recordings, broadcasts }: Pick<ShowState, 'recordings' | 'broadcasts'>,
): Promise<void> {
  const client = await platform()
  const changes = [
    ...recordings.flatMap(({ archiveId, layout }) =>
      archiveId && layout ? client.setArchiveLayout({ archiveId, ...layout }) : [],
    ),
    ...broadcasts.flatMap(({ broadcastId, layout }) =>
      broadcastId && layout ? client.setBroadcastLayout({ broadcastId, ...layout }) : [],
    ),
  ]
  await Promise.all(changes.map((change) => change.catch(onError(isOver, undefined))))
}

/** To a change: what it is about has ended meanwhile. */
const isOver = (error: unknown) => isAlreadyEnded(error) || isGone(error)

/** Stops a part that another one has taken over from. */
export async function stopRecordingPart(
  { platform, clock }: Services,
  { name, part, archiveId }: RecordingState,
): Promise<RolledRecording> {
  if (!archiveId) return { name, part }
  const client = await platform()
  const asked = await client.stopArchive({ archiveId }).catch(onError(isAlreadyEnded, undefined))
  const { status, reason } = asked ?? (await client.getArchive({ archiveId })) // an earlier stop's answer may be lost
  const stoppedAt = reason === archiveReasons.userInitiated ? { stoppedAt: new Date(clock.now()).toISOString() } : {}
  return { name, part, status, ...(reason && { reason }), ...stoppedAt }
}

export async function stopBroadcastPart(
  { platform }: Services,
  { name, part, broadcastId }: BroadcastState,
): Promise<RolledBroadcast> {
  if (broadcastId) await (await platform()).stopBroadcast({ broadcastId }).catch(onError(isAlreadyEnded, undefined))
  return { name, part, status: 'stopped' }
}
