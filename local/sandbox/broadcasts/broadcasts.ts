import type { HlsStatus } from '../../../lib/platform/contract/broadcasts.ts'
import { isLegal } from '../../../lib/platform/contract/lifecycles.ts'
import { createOutputs } from '../composed/outputs.ts'
import type { Broadcaster, HlsSettings } from '../media/media.ts'
import { openLeftLadder } from '../media/packaging/live-ladder.ts'
import { openLeftPlaylists } from '../media/packaging/live-playlists.ts'
import type { SandboxParts } from '../parts.ts'
import type { BroadcastRecord } from '../state/records.ts'
import type { createOrigin } from './origin.ts'
import { createRtmpStatuses } from './rtmp-statuses.ts'

type NewBroadcast = Omit<BroadcastRecord, 'status' | 'createdAt' | 'updatedAt' | 'directory'>

type Played = Pick<Broadcaster, 'playlist' | 'locate' | 'ladder'>

const openLeft = async (directory: string, hls: HlsSettings): Promise<Played> => ({
  ...(await openLeftPlaylists(directory, hls)),
  ladder: await openLeftLadder(directory, hls),
})

/** Broadcasts from their start until they stop, and the playlists that outlive them. */
export type Broadcasts = ReturnType<typeof createBroadcasts>

export function createBroadcasts(
  parts: Pick<SandboxParts, 'store' | 'clock' | 'timers' | 'background' | 'transitions' | 'presence' | 'media'> & {
    readonly origin: ReturnType<typeof createOrigin>
  },
) {
  const { store, clock, timers, transitions, media, background, presence, origin } = parts
  const { amend } = transitions.broadcasts
  const broadcasters = createOutputs<Broadcaster>({ name: 'broadcaster', background, amend, fail })
  const rtmpStatuses = createRtmpStatuses(parts)
  const running = (sessionId: string) => store.broadcasts.find({ sessionId, status: 'started' })

  /** Returns a broadcast's HLS output in a later status, if it has one and its lifecycle allows that status. */
  const hlsIn = (id: string, status: HlsStatus): Pick<BroadcastRecord, 'hls'> => {
    const hls = store.broadcasts.get(id)?.hls
    return hls && isLegal('hlsOutput', hls.status, status) ? { hls: { ...hls, status } } : {}
  }

  /**
   * @throws {@link Refusal} 400 when it cannot be mirrored, 500 when the broadcaster does not start; the broadcast is then
   * `failed`
   */
  async function start(described: NewBroadcast): Promise<BroadcastRecord> {
    const createdAt = clock.now()
    const hasLadder = described.hls && media.hasLadder?.(described.resolution)
    const address = origin.admit(described)
    const more = { ...(hasLadder && { hasLadder }), ...(address !== undefined && { origin: address }) }
    const settings = described.hls && { hls: { ...described.hls, ...more } }
    const broadcast = transitions.broadcasts.begin({ ...described, ...settings, createdAt })
    const { id, sessionId, resolution, layout, streams, hls, rtmp } = broadcast
    const spec = { id, sessionId, resolution, layout, streams, hls, rtmp, createdAt }
    const starting = broadcasters.start(id, media.startBroadcast(spec))
    timers.set(id, 'duration', createdAt + broadcast.maxDuration * 1000, () => stop(id))
    const broadcaster = await starting
    rtmpStatuses.follow(id, broadcaster)
    origin.follow(broadcast, broadcaster, () => fail(id))
    store.broadcasts.update(id, { directory: broadcaster.directory, ...hlsIn(id, 'ready') })
    return broadcast
  }

  function stop(id: string): BroadcastRecord {
    timers.cancelAll(id)
    const stopped = transitions.broadcasts.move(id, 'stopped', hlsIn(id, 'ended'))
    background.run(() => stopBroadcaster(id))
    return stopped
  }

  function fail(id: string): void {
    if (store.broadcasts.get(id)?.status !== 'started') return
    timers.cancelAll(id)
    rtmpStatuses.fail(id)
    transitions.broadcasts.move(id, 'failed', hlsIn(id, 'error'))
    background.run(() => stopBroadcaster(id))
  }

  async function stopBroadcaster(id: string): Promise<void> {
    const stopped = broadcasters.get(id)?.then((broadcaster) => broadcaster.stop())
    await stopped?.catch(() => {}) // the record has its final status, and what was broadcast so far stays
  }

  /** The broadcast of an earlier process that was played last. */
  let left: { readonly id: string; readonly playlists: Promise<Played> } | undefined

  /** Returns what players request of a broadcast, also of an earlier process; undefined when there is nothing to play. */
  async function played(id: string): Promise<Played | undefined> {
    const broadcaster = broadcasters.get(id)
    if (broadcaster) return broadcaster.catch(() => undefined)
    const { directory, hls } = store.broadcasts.get(id) ?? {}
    if (!directory || !hls) return undefined
    if (left?.id !== id) left = { id, playlists: openLeft(directory, hls) }
    return left.playlists
  }

  async function observe(broadcast: BroadcastRecord): Promise<BroadcastRecord> {
    if (broadcast.hls?.status !== 'ready') return broadcast
    const playlist = await (await played(broadcast.id))?.playlist()
    if (playlist === undefined) return broadcast
    return store.broadcasts.update(broadcast.id, hlsIn(broadcast.id, 'live'))
  }

  /** Fails the broadcasts that an earlier process left running. */
  function recover(): void {
    for (const { id } of store.broadcasts.find({ status: 'started' })) fail(id)
  }

  let closing: Promise<void> | undefined
  /** Ends the media of all broadcasts, and their playlists in buckets. Their records stay as they are. */
  function close(): Promise<void> {
    closing ??= endMedia()
    return closing
  }

  async function endMedia(): Promise<void> {
    const left = store.broadcasts.find({ status: 'started' })
    await Promise.all(left.map(({ id }) => stopBroadcaster(id))) // at once: each may wait for slow RTMP servers
    await origin.settled()
  }

  presence.listen({
    onEnded(sessionId) {
      for (const { id } of running(sessionId)) stop(id)
    },
  })

  const { setLayout, setStreams } = broadcasters
  return {
    running,
    output: broadcasters.get,
    start,
    stop,
    setLayout,
    setStreams,
    observe,
    played,
    recover,
    close,
  }
}
