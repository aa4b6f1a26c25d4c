import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HlsStatus } from '../../../lib/platform/contract/broadcasts.ts'
import { isLegal } from '../../../lib/platform/contract/lifecycles.ts'
import { createOutputs } from '../composed/outputs.ts'
import { PLAYLIST_FILE } from '../media/encoding/broadcast-target.ts'
import { endPlaylist, presentPlaylist } from '../media/encoding/playlist.ts'
import type { Broadcaster } from '../media/media.ts'
import type { SandboxParts } from '../parts.ts'
import type { BroadcastRecord } from '../state/records.ts'
import { createRtmpStatuses } from './rtmp-statuses.ts'

type NewBroadcast = Omit<BroadcastRecord, 'status' | 'createdAt' | 'updatedAt' | 'directory'>

/** Broadcasts from their start until they stop, and the playlists that outlive them. */
export type Broadcasts = ReturnType<typeof createBroadcasts>

export function createBroadcasts(
  parts: Pick<SandboxParts, 'store' | 'clock' | 'timers' | 'background' | 'transitions' | 'presence' | 'media'>,
) {
  const { store, clock, timers, transitions, media, background, presence } = parts
  const { amend } = transitions.broadcasts
  const broadcasters = createOutputs<Broadcaster>({ name: 'broadcaster', background, amend, fail })
  const rtmpStatuses = createRtmpStatuses(parts)
  const running = (sessionId: string) => store.broadcasts.find({ sessionId, status: 'started' })

  /** Returns a broadcast's HLS output in a later status, if it has one and its lifecycle allows that status. */
  const hlsIn = (id: string, status: HlsStatus): Pick<BroadcastRecord, 'hls'> => {
    const hls = store.broadcasts.get(id)?.hls
    return hls && isLegal('hlsOutput', hls.status, status) ? { hls: { ...hls, status } } : {}
  }

  /** @throws {@link Refusal} 500 when the broadcaster does not start; the broadcast is then `failed` */
  async function start(described: NewBroadcast): Promise<BroadcastRecord> {
    const createdAt = clock.now()
    const broadcast = transitions.broadcasts.begin({ ...described, createdAt })
    const { id, sessionId, resolution, layout, streams, hls, rtmp } = broadcast
    const spec = { id, sessionId, resolution, layout, streams, hls, rtmp, createdAt }
    const starting = broadcasters.start(id, media.startBroadcast(spec))
    timers.set(id, 'duration', createdAt + broadcast.maxDuration * 1000, () => stop(id))
    const broadcaster = await starting
    rtmpStatuses.follow(id, broadcaster)
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

  /** Returns the playlist that a player gets now; undefined when there is nothing to play. */
  async function playlist(id: string): Promise<string | undefined> {
    const broadcaster = broadcasters.get(id)
    if (broadcaster) return broadcaster.then((started) => started.playlist()).catch(() => undefined)
    return readLeftPlaylist(store.broadcasts.get(id))
  }

  async function observe(broadcast: BroadcastRecord): Promise<BroadcastRecord> {
    if (broadcast.hls?.status !== 'ready' || (await playlist(broadcast.id)) === undefined) return broadcast
    return store.broadcasts.update(broadcast.id, hlsIn(broadcast.id, 'live'))
  }

  /** Fails the broadcasts that an earlier process left running. */
  function recover(): void {
    for (const { id } of store.broadcasts.find({ status: 'started' })) fail(id)
  }

  async function close(): Promise<void> {
    const left = store.broadcasts.find({ status: 'started' })
    await Promise.all(left.map(({ id }) => stopBroadcaster(id))) // at once: each may wait for slow RTMP servers
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
    playlist,
    recover,
    close,
  }
}

/** Reads the playlist of an earlier process's broadcast, and adds the end tag if that process did not. */
async function readLeftPlaylist(broadcast: BroadcastRecord | undefined): Promise<string | undefined> {
  if (!broadcast?.directory || !broadcast.hls) return undefined
  const whole = await readFile(join(broadcast.directory, PLAYLIST_FILE), 'utf8').catch(() => undefined)
  if (whole === undefined) return undefined
  return presentPlaylist(endPlaylist(whole), { ...broadcast.hls, createdAt: broadcast.createdAt })
}
