import type { Services } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import type { TaskOutput } from '../../../tasks/tasks.ts'
import { type BroadcastOrder, longestBroadcast } from '../../document/broadcast.ts'
import { tagOf } from '../../document/fields/names.ts'
import { withResolution } from '../../document/picture.ts'
import { broadcastOrderOf, isBroadcastStopped } from '../../state/broadcast-orders.ts'
import { isPausedAt } from '../../state/pauses.ts'
import type { ShowState } from '../../state/state.ts'
import { startOrAdopt } from '../adoption.ts'
import { type ComposedResource, composedResources, findTagged } from '../composed-resources.ts'
import { observedArchive, observedBroadcast } from '../observed-entries.ts'
import { unlessStopped } from '../unless-stopped.ts'

export interface PartToStart {
  readonly showId: string
  readonly sessionId: string
  readonly name: string
  /** From 1. */
  readonly part: number
}

/**
 * Starts a part of a recording, or adopts its archive. If the show is stopped meanwhile, the archive is stopped at once.
 * @throws {@link ShowStoppedError} when the show is over or was asked to stop, or the recording is paused
 * @throws {@link PlatformNotFoundError} while no client is connected
 * @throws {@link PlatformConflictError} when the session is relayed
 */
export async function startRecordingPart(
  services: Pick<Services, 'platform' | 'shows' | 'clock' | 'platformUntil'>,
  part: PartToStart,
): Promise<TaskOutput<'startRecording'>> {
  const { showId, name } = part
  const order = (await services.shows.request(showId)).show.recordings.find((one) => one.name === name)
  if (!order) throw new TaskInputError(`The show ${showId} orders no recording ${name}.`)
  const { recordings } = composedResources(await services.platform())
  const { outputMode, resolution, streamMode, hasAudio, hasVideo } = order
  const isRefused = (state: ShowState) => isPausedAt(order, state, services.clock.now())
  const archive = await startPart(services, { ...recordings, isRefused }, part, async (state) => {
    const layout = layoutOf(state.recordings, part) ?? order.layout
    return {
      ...{ outputMode, streamMode, hasAudio, hasVideo },
      ...(resolution && { resolution }),
      ...(layout && { layout }),
    }
  })
  const { archiveId, createdAt, status } = observedArchive(archive)
  return { name, part: part.part, tag: tagOf(showId, name, part.part), archiveId, createdAt, status }
}

/**
 * Starts a part of a broadcast, or adopts the running one. If the show is stopped meanwhile, the broadcast is stopped at once.
 * The order of a broadcast that was added while the show runs must be in the state before.
 * @throws as `startRecordingPart` does, and {@link TaskConfigError} when a secret that the order refers to does not exist
 */
export async function startBroadcastPart(
  services: Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock' | 'platformUntil'>,
  part: PartToStart,
): Promise<TaskOutput<'startBroadcast'>> {
  const { showId, name } = part
  const [{ show }, state] = await Promise.all([services.shows.request(showId), services.shows.state(showId)])
  const order = broadcastOrderOf(name, show.broadcasts, state)
  if (!order) throw new TaskInputError(`The show ${showId} orders no broadcast ${name}.`)
  const { broadcasts } = composedResources(await services.platform())
  // A broadcast that was added while the show runs was not parsed with the show.
  const { resolution, streamMode } = withResolution(order, show.version)
  const isRefused = (latest: ShowState) => isBroadcastStopped(name, latest)
  const broadcast = await startPart(services, { ...broadcasts, isRefused }, part, async (state) => {
    const layout = layoutOf(state.broadcasts, part) ?? order.layout
    return {
      outputs: await outputsOf(services, order),
      maxDuration: longestBroadcast(order),
      streamMode,
      ...(resolution && { resolution }),
      ...(layout && { layout }),
    }
  })
  return { name, part: part.part, tag: tagOf(showId, name, part.part), ...observedBroadcast(broadcast) }
}

const startPart = <Found extends { readonly id: string }, Order>(
  { shows, clock, platformUntil }: Pick<Services, 'shows' | 'clock' | 'platformUntil'>,
  resource: ComposedResource<Found, Order> & { readonly isRefused?: (state: ShowState) => boolean },
  { showId, sessionId, name, part }: PartToStart,
  order: (state: ShowState) => Promise<Order>,
): Promise<Found> => {
  const tag = tagOf(showId, name, part)
  return unlessStopped(shows, showId, {
    find: () => findTagged(resource, sessionId, tag),
    start: (state) => startOrAdopt({ clock, platformUntil }, resource, { sessionId, tag }, () => order(state)),
    stop: ({ id }) => resource.stop(id),
    ...(resource.isRefused && { isRefused: resource.isRefused }),
  })
}

/** Returns the layout that was asked for while the part before ran: it replaces the layout of the order. */
const layoutOf = <Layout>(
  entries: readonly { readonly name: string; readonly part: number; readonly layout?: Layout | undefined }[],
  { name, part }: Pick<PartToStart, 'name' | 'part'>,
) => entries.find((one) => one.name === name && one.part === part - 1)?.layout

async function outputsOf({ showSecrets }: Pick<Services, 'showSecrets'>, { hls, rtmp }: BroadcastOrder) {
  const targets = await Promise.all(
    rtmp.map(async ({ streamName, ...target }) => ({
      ...target,
      streamName: await showSecrets.resolve(streamName, target.serverUrl),
    })),
  )
  return { ...(hls && { hls }), ...(targets.length > 0 && { rtmp: targets }) }
}
