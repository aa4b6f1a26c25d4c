import type { Shows } from '../../records/shows.ts'
import type { Services } from '../../services.ts'
import { ShowStoppedError, TaskInputError } from '../../tasks/errors.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import { type BroadcastOrder, longestBroadcast } from '../document/broadcast.ts'
import { tagOf } from '../document/fields/names.ts'
import type { BroadcastState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'
import { type Broadcast, findArchive, findBroadcast, startOrAdoptArchive, startOrAdoptBroadcast } from './adoption.ts'
import { isAlreadyEnded, onError } from './platform-errors.ts'

/** One part of a recording or a broadcast. */
export interface Part {
  readonly showId: string
  readonly sessionId: string
  readonly name: string
  /** From 1. */
  readonly part: number
}

/** Whether nothing may be started in a show any more. */
export const isStopped = ({ stopAskedAt, endedAt }: Pick<ShowState, 'stopAskedAt' | 'endedAt'>): boolean =>
  stopAskedAt !== undefined || endedAt !== undefined

/**
 * Starts a part of a recording, or adopts the archive that is it; in a show that is stopped meanwhile it is stopped at once.
 * @throws ShowStoppedError when the show is over or was asked to stop
 * @throws PlatformNotFoundError while no client is connected
 * @throws PlatformConflictError when the session is relayed
 */
export async function startRecordingPart(
  services: Pick<Services, 'platform' | 'shows' | 'clock'>,
  { showId, sessionId, name, part }: Part,
): Promise<TaskOutput<'startRecording'>> {
  const { shows, clock } = services
  const order = (await shows.request(showId)).show.recordings.find((one) => one.name === name)
  if (!order) throw new TaskInputError(`The show ${showId} orders no recording ${name}.`)
  const platform = await services.platform()
  const tag = tagOf(showId, name, part)
  const { outputMode, resolution, streamMode, hasAudio, hasVideo } = order
  const archive = await unlessStopped(shows, showId, {
    find: () => findArchive(platform, sessionId, tag),
    start: ({ recordings }) => {
      const layout = layoutOf(recordings, { name, part }) ?? order.layout
      return startOrAdoptArchive({ platform, clock }, tag, {
        ...{ sessionId, outputMode, streamMode, hasAudio, hasVideo },
        ...(resolution && { resolution }),
        ...(layout && { layout }),
      })
    },
    stop: ({ id }) => platform.stopArchive({ archiveId: id }),
  })
  const { id: archiveId, createdAt, status } = archive
  return { name, part, tag, archiveId, createdAt: new Date(createdAt).toISOString(), status }
}

/**
 * Starts a part of a broadcast, or adopts the running one that is it; in a show that is stopped meanwhile it is stopped at
 * once. One that was added while the show runs must stand in the state, with its order, before.
 * @throws ShowStoppedError when the show is over or was asked to stop
 * @throws PlatformNotFoundError while no client is connected
 * @throws PlatformConflictError when the session is relayed
 * @throws TaskConfigError when a secret it refers to is not there
 */
export async function startBroadcastPart(
  services: Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock'>,
  { showId, sessionId, name, part }: Part,
): Promise<TaskOutput<'startBroadcast'>> {
  const { shows, clock } = services
  const [{ show }, state] = await Promise.all([shows.request(showId), shows.state(showId)])
  const order = broadcastOrderOf(name, show.broadcasts, state)
  if (!order) throw new TaskInputError(`The show ${showId} orders no broadcast ${name}.`)
  const platform = await services.platform()
  const tag = tagOf(showId, name, part)
  const { resolution, streamMode } = order
  const broadcast = await unlessStopped(shows, showId, {
    find: () => findBroadcast(platform, sessionId, tag),
    start: ({ broadcasts }) => {
      const layout = layoutOf(broadcasts, { name, part }) ?? order.layout
      return startOrAdoptBroadcast({ platform, clock }, tag, sessionId, async () => ({
        outputs: await outputsOf(order, services),
        maxDuration: longestBroadcast(order),
        streamMode,
        ...(resolution && { resolution }),
        ...(layout && { layout }),
      }))
    },
    stop: ({ id }) => platform.stopBroadcast({ broadcastId: id }),
  })
  return { name, part, tag, ...seenBroadcast(broadcast) }
}

/** What the order of a broadcast says: of the request, or of the state where it was added while the show runs. */
export const broadcastOrderOf = (
  name: string,
  ordered: readonly BroadcastOrder[],
  { broadcasts }: Pick<ShowState, 'broadcasts'>,
): BroadcastOrder | undefined =>
  ordered.find((one) => one.name === name) ?? broadcasts.find((one) => one.name === name && one.order)?.order

/** What a part begins with in place of its order's layout: what was asked for while the part before it ran. */
const layoutOf = <Layout>(
  entries: readonly { readonly name: string; readonly part: number; readonly layout?: Layout | undefined }[],
  { name, part }: Pick<Part, 'name' | 'part'>,
) => entries.find((one) => one.name === name && one.part === part - 1)?.layout

type Output = NonNullable<BroadcastState['rtmp']>[number]

/** The outputs of a broadcast by their ids; without server and stream key. */
export function outputStatesOf({ broadcastUrls }: Broadcast): Output[] {
  const rtmp: object = broadcastUrls?.rtmp ?? {} // a list or by id, as the deployment likes
  const outputs: [string, Partial<Output>][] = Object.entries(rtmp)
  return outputs.map(([key, { id = key, status = 'connecting' }]) => ({ id, status }))
}

interface Act<Resource> {
  /** What an earlier attempt has started. */
  find(): Promise<Resource | undefined>
  /** @param state as it was when nothing stood against it */
  start(state: ShowState): Promise<Resource>
  stop(resource: Resource): Promise<unknown>
}

/**
 * Starts something in a show. Looks at the state before and after, so that whoever stops the show and whoever starts something
 * cannot miss each other.
 * @throws ShowStoppedError
 */
export async function unlessStopped<Resource>(shows: Shows, showId: string, { find, start, stop }: Act<Resource>) {
  const state = await shows.state(showId)
  const wasStopped = isStopped(state)
  const resource = await (wasStopped ? find() : start(state))
  if (resource && !wasStopped && !isStopped(await shows.state(showId))) return resource
  if (resource) await stop(resource).catch(onError(isAlreadyEnded, undefined))
  throw new ShowStoppedError('The show was stopped meanwhile.')
}

async function outputsOf({ hls, rtmp }: BroadcastOrder, services: Pick<Services, 'showSecrets'>) {
  const targets = await Promise.all(
    rtmp.map(async ({ streamName, ...target }) => ({
      ...target,
      streamName: await services.showSecrets.resolve(streamName, target.serverUrl),
    })),
  )
  return { ...(hls && { hls }), ...(targets.length > 0 && { rtmp: targets }) }
}

/** What a state says of a broadcast that was started or seen. */
export function seenBroadcast(broadcast: Broadcast) {
  const { id: broadcastId, createdAt, status, broadcastUrls } = broadcast
  const { hls, hlsStatus } = broadcastUrls ?? {} // null after the end: then what was last said stays
  const rtmp = outputStatesOf(broadcast)
  return {
    broadcastId,
    createdAt: new Date(createdAt).toISOString(),
    status,
    ...(hls && { hls }),
    ...(hlsStatus && { hlsStatus }),
    ...(rtmp.length > 0 && { rtmp }),
  }
}
