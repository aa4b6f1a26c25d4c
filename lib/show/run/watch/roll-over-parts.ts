import { archiveReasons } from '../../../platform/contract/archives.ts'
import type { Services } from '../../../services.ts'
import { broadcastOrderOf } from '../../state/broadcast-orders.ts'
import type { BroadcastState, RecordingState } from '../../state/resources.ts'
import type { ShowState } from '../../state/state.ts'
import { composedResources, partsIn } from '../composed-resources.ts'
import { isAlreadyEnded, isGone, onError } from '../platform-errors.ts'
import { type Part, startBroadcastPart, startRecordingPart } from '../start/start-parts.ts'
import { selectionOf, selectStreams } from './stream-selection.ts'

type Starting = Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock'>

/** The fields of a state's entry that change when a part starts or stops. */
export type RolledRecording = Pick<RecordingState, 'name' | 'part'> & Partial<RecordingState>
export type RolledBroadcast = Pick<BroadcastState, 'name' | 'part'> & Partial<BroadcastState>

/** Starts the next part of a recording, with the streams that were selected for the part before it. */
export async function startNextRecordingPart(
  services: Starting,
  part: Part,
  { recordings: entries }: Pick<ShowState, 'recordings'>,
): Promise<RolledRecording> {
  const { show } = await services.shows.request(part.showId)
  const before = entries.find((one) => one.name === part.name && one.part === part.part - 1)
  const isManual = show.recordings.find(({ name }) => name === part.name)?.streamMode === 'manual'
  const { recordings } = composedResources(await services.platform())
  const selection = isManual && before?.archiveId ? selectionOf(await recordings.get(before.archiveId)) : []
  const started = await startRecordingPart(services, part)
  await selectStreams(recordings, started.archiveId, selection)
  return started
}

/**
 * Starts the next part of a broadcast, with the streams that were selected for the part before it.
 * @param options.isExclusive stops the part before first, because the two must not run at once
 */
export async function startNextBroadcastPart(
  services: Starting,
  part: Part,
  { state, isExclusive }: { readonly state: Pick<ShowState, 'broadcasts'>; readonly isExclusive: boolean },
): Promise<RolledBroadcast[]> {
  const { show } = await services.shows.request(part.showId)
  const before = state.broadcasts.find((one) => one.name === part.name && one.part === part.part - 1)
  const isManual = broadcastOrderOf(part.name, show.broadcasts, state)?.streamMode === 'manual'
  const { broadcasts } = composedResources(await services.platform())
  const selection = isManual && before?.broadcastId ? selectionOf(await broadcasts.get(before.broadcastId)) : []
  const stopped = isExclusive && before ? [await stopBroadcastPart(services, before)] : []
  const started = await startBroadcastPart(services, part)
  await selectStreams(broadcasts, started.broadcastId, selection)
  return [...stopped, started]
}

/** Sets the layouts of the state in parts that have just started: a change may be more recent than their start. */
export async function applyLayouts(
  { platform }: Pick<Services, 'platform'>,
  started: Pick<ShowState, 'recordings' | 'broadcasts'>,
): Promise<void> {
  const resources = composedResources(await platform())
  const changes = partsIn(started).flatMap(({ kind, id, layout }) =>
    id && layout ? resources[kind].setLayout(id, layout) : [],
  )
  await Promise.all(changes.map((change) => change.catch(onError(isOver, undefined))))
}

/** Matches the answer to a change of a resource that has ended meanwhile. */
const isOver = (error: unknown) => isAlreadyEnded(error) || isGone(error)

/** Stops a part of a recording after the next part has taken over. */
export async function stopRecordingPart(
  { platform, clock }: Pick<Services, 'platform' | 'clock'>,
  { name, part, archiveId }: RecordingState,
): Promise<RolledRecording> {
  if (!archiveId) return { name, part }
  const { recordings } = composedResources(await platform())
  const stopped = await recordings.stop(archiveId).catch(onError(isAlreadyEnded, undefined))
  const { status, reason } = stopped ?? (await recordings.get(archiveId)) // the answer to an earlier stop may be lost
  const stoppedAt = reason === archiveReasons.userInitiated ? { stoppedAt: new Date(clock.now()).toISOString() } : {}
  return { name, part, status, ...(reason && { reason }), ...stoppedAt }
}

/** Stops a part of a broadcast after or before the next part takes over. */
export async function stopBroadcastPart(
  { platform }: Pick<Services, 'platform'>,
  { name, part, broadcastId }: BroadcastState,
): Promise<RolledBroadcast> {
  if (broadcastId) await (await platform()).stopBroadcast({ broadcastId }).catch(onError(isAlreadyEnded, undefined))
  return { name, part, status: 'stopped' }
}
