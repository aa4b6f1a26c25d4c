import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../lib/clock.ts'
import type { HlsStatus } from '../../../lib/platform/contract/broadcasts.ts'
import { isLegal } from '../../../lib/platform/contract/lifecycles.ts'
import { Refusal } from '../http/refusal.ts'
import { endPlaylist, presentPlaylist } from '../media/encoding/playlist.ts'
import type { Broadcaster, Media, StreamChoice } from '../media/media.ts'
import type { Presence } from '../participants/presence.ts'
import type { Background } from '../state/background.ts'
import type { BroadcastRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Timers } from '../state/timers.ts'
import type { AllTransitions } from '../state/transitions.ts'
import { createRtmpStatuses } from './rtmp-statuses.ts'

/** The playlist's name, in URLs and in a broadcast's directory. */
export const PLAYLIST = 'index.m3u8'

type NewBroadcast = Omit<BroadcastRecord, 'status' | 'createdAt' | 'updatedAt' | 'directory'>

/** Broadcasts from their start to their end, and the playlists that outlive them. */
export interface Broadcasts {
  running(sessionId: string): BroadcastRecord[]
  /** @throws Refusal 500 when the broadcaster does not start; the broadcast is then `failed` */
  start(broadcast: NewBroadcast): Promise<BroadcastRecord>
  stop(id: string): BroadcastRecord
  /** Changes what a running broadcast shows from now on. */
  setLayout(id: string, layout: BroadcastRecord['layout']): void
  /** Replaces the chosen streams of a running broadcast of the stream mode `manual`. */
  setStreams(id: string, streams: readonly StreamChoice[]): void
  /** The record with its HLS output's status brought up to date. */
  observe(broadcast: BroadcastRecord): Promise<BroadcastRecord>
  /** What a player gets now; undefined when there is nothing to play. */
  playlist(id: string): Promise<string | undefined>
  /** What was live in an earlier process has failed. */
  recover(): void
  close(): Promise<void>
}

export function createBroadcasts(parts: {
  store: Store
  clock: Clock
  timers: Timers
  transitions: AllTransitions
  media: Media
  background: Background
  attendance: Presence
}): Broadcasts {
  const { store, clock, timers, transitions, media, background, attendance } = parts
  const broadcasters = new Map<string, Promise<Broadcaster>>()
  const rtmpStatuses = createRtmpStatuses(parts)
  const running = (sessionId: string) => store.broadcasts.find({ sessionId, status: 'started' })

  /** A broadcast's HLS output in a later status, where there is one and its lifecycle leads there. */
  const hlsIn = (id: string, status: HlsStatus): Pick<BroadcastRecord, 'hls'> => {
    const hls = store.broadcasts.get(id)?.hls
    return hls && isLegal('hlsOutput', hls.status, status) ? { hls: { ...hls, status } } : {}
  }

  function stop(id: string): BroadcastRecord {
    timers.cancelAll(id)
    const stopped = transitions.broadcasts.move(id, 'stopped', hlsIn(id, 'ended'))
    background.run(async () => {
      await broadcasters
        .get(id)
        ?.then((broadcaster) => broadcaster.stop())
        .catch(() => {}) // what has been broadcast so far stays, and nobody waits for more
    })
    return stopped
  }

  function fail(id: string): void {
    if (store.broadcasts.get(id)?.status !== 'started') return
    timers.cancelAll(id)
    rtmpStatuses.fail(id)
    transitions.broadcasts.move(id, 'failed', hlsIn(id, 'error'))
    background.run(async () => {
      await broadcasters
        .get(id)
        ?.then((broadcaster) => broadcaster.stop())
        .catch(() => {}) // it is broken already: this only frees what it holds
    })
  }

  /** Tells the broadcaster once it has started; one that cannot follow has failed. */
  const tell = (id: string, act: (broadcaster: Broadcaster) => void) =>
    background.run(async () => {
      try {
        const broadcaster = await broadcasters.get(id)
        if (broadcaster) act(broadcaster)
      } catch {
        fail(id)
      }
    })

  async function playlist(id: string): Promise<string | undefined> {
    const broadcaster = broadcasters.get(id)
    if (broadcaster) return broadcaster.then((started) => started.playlist()).catch(() => undefined)
    return readLeftPlaylist(store.broadcasts.get(id))
  }

  attendance.listen({
    onEnded(sessionId) {
      for (const { id } of running(sessionId)) stop(id)
    },
  })

  return {
    running,
    stop,
    playlist,
    setLayout(id, layout) {
      transitions.broadcasts.amend(id, { layout })
      tell(id, (broadcaster) => broadcaster.setLayout(layout))
    },
    setStreams(id, streams) {
      transitions.broadcasts.amend(id, { streams })
      tell(id, (broadcaster) => broadcaster.setStreams(streams))
    },
    async start(described) {
      const createdAt = clock.now()
      const broadcast = transitions.broadcasts.begin({ ...described, createdAt })
      const { id, sessionId, resolution, layout, streams, hls, rtmp } = broadcast
      const starting = media.startBroadcast({ id, sessionId, resolution, layout, streams, hls, rtmp, createdAt })
      broadcasters.set(id, starting)
      timers.set(id, 'duration', createdAt + broadcast.maxDuration * 1000, () => stop(id))
      try {
        const broadcaster = await starting
        broadcaster.onFailure(() => fail(id))
        rtmpStatuses.follow(id, broadcaster)
        store.broadcasts.update(id, { directory: broadcaster.directory, ...hlsIn(id, 'ready') })
      } catch {
        fail(id)
        throw new Refusal(500, 'The broadcaster did not start.')
      }
      return broadcast
    },
    async observe(broadcast) {
      if (broadcast.hls?.status !== 'ready' || (await playlist(broadcast.id)) === undefined) return broadcast
      return store.broadcasts.update(broadcast.id, hlsIn(broadcast.id, 'live'))
    },
    recover() {
      for (const { id } of store.broadcasts.find({ status: 'started' })) fail(id)
    },
    async close() {
      const ends = store.broadcasts.find({ status: 'started' }).map(
        ({ id }) =>
          broadcasters
            .get(id)
            ?.then((broadcaster) => broadcaster.stop())
            .catch(() => {}), // its end would have been the same
      )
      await Promise.all(ends) // at once: each may wait for slow RTMP servers
    },
  }
}

/** What a broadcast of an earlier process left; its end is added if that process did not get to it. */
async function readLeftPlaylist(broadcast: BroadcastRecord | undefined): Promise<string | undefined> {
  if (!broadcast?.directory || !broadcast.hls) return undefined
  const whole = await readFile(join(broadcast.directory, PLAYLIST), 'utf8').catch(() => undefined)
  if (whole === undefined) return undefined
  return presentPlaylist(endPlaylist(whole), { ...broadcast.hls, createdAt: broadcast.createdAt })
}
