import Hls from 'hls.js'
import type { WatchedShow } from '../../../lib/api/watched-show.ts'
import { followLiveEdge, LOW_LATENCY } from '../../live-edge.ts'

type Live = NonNullable<WatchedShow['live']>

const RETRY_MS = 1_500

/** Seconds behind the live edge from which a viewer is not live any more. */
const BEHIND = { lowLatency: 5, otherwise: 15 } as const

export interface LivePlayer {
  /** Returns the seconds behind the live edge; undefined before anything plays. */
  behind(): number | undefined
  /** Returns the time of what is shown in milliseconds since the epoch; undefined if the playlist does not date it. */
  shownAt(): number | undefined
  /** Seeks to a time, if the playlist still has it. @param time milliseconds since the epoch */
  seekTo(time: number): void
  /** Seeks to the live edge. */
  catchUp(): void
  stop(): void
}

export const isBehind = (seconds: number, { lowLatency }: Pick<Live, 'lowLatency'>): boolean =>
  seconds > (lowLatency ? BEHIND.lowLatency : BEHIND.otherwise)

/** Plays a live broadcast from its live edge, and tries again until it has a playlist. */
export function playLive(video: HTMLVideoElement, live: Live): LivePlayer {
  const player = Hls.isSupported() ? playByHls(video, live) : playNatively(video, live)
  return {
    ...player,
    catchUp() {
      player.catchUp()
      void play(video)
    },
    stop() {
      player.stop()
      video.removeAttribute('src')
      video.load()
    },
  }
}

/** Plays, without audio if the browser allows no other start. */
async function play(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play()
  } catch {
    video.muted = true
    await video.play().catch(() => {})
  }
}

/** Plays without a worker, since the page may not run code from a blob. */
function playByHls(video: HTMLVideoElement, { playlist, lowLatency, dvr }: Live): LivePlayer {
  const hls = new Hls({
    enableWorker: false,
    lowLatencyMode: lowLatency,
    ...(lowLatency ? LOW_LATENCY : { liveSyncDurationCount: 3 }),
    backBufferLength: dvr ? 120 : 30,
  })
  let retry: ReturnType<typeof setTimeout> | undefined
  hls.on(Hls.Events.MANIFEST_PARSED, () => void play(video))
  const edge = followLiveEdge(hls, video, Hls.Events)
  hls.on(Hls.Events.ERROR, (_, { fatal, type }) => {
    if (!fatal) return
    if (type === Hls.ErrorTypes.MEDIA_ERROR) return hls.recoverMediaError()
    clearTimeout(retry)
    retry = setTimeout(() => hls.loadSource(playlist), RETRY_MS)
  })
  hls.loadSource(playlist)
  hls.attachMedia(video)
  // Before it plays, hls.js dates the start of the playlist, which is not what will be shown.
  let hasPlayed = false
  const notePlaying = () => {
    hasPlayed = true
  }
  video.addEventListener('playing', notePlaying, { once: true })
  const shownAt = () => (hasPlayed ? hls.playingDate?.getTime() : undefined)
  return {
    behind: () => (hls.latency > 0 ? hls.latency : undefined),
    shownAt,
    seekTo(time) {
      const shown = shownAt()
      const { seekable, currentTime } = video
      if (shown === undefined || seekable.length === 0) return
      const target = currentTime + (time - shown) / 1000
      if (target >= seekable.start(0) && target < currentTime) video.currentTime = target
    },
    catchUp: edge.catchUp,
    stop() {
      clearTimeout(retry)
      video.removeEventListener('playing', notePlaying)
      edge.stop()
      hls.destroy()
    },
  }
}

/** Plays in Safari, which retries a failed playlist only when it is loaded again. */
function playNatively(video: HTMLVideoElement, { playlist }: Live): LivePlayer {
  const edge = () => (video.seekable.length > 0 ? video.seekable.end(video.seekable.length - 1) : undefined)
  let retry: ReturnType<typeof setTimeout> | undefined
  const load = () => {
    video.src = playlist
    void play(video)
  }
  const reload = () => {
    retry = setTimeout(load, RETRY_MS)
  }
  video.addEventListener('error', reload)
  load()
  return {
    behind() {
      const end = edge()
      return end === undefined ? undefined : end - video.currentTime
    },
    shownAt: () => undefined,
    seekTo() {},
    catchUp() {
      video.currentTime = edge() ?? video.currentTime
    },
    stop() {
      clearTimeout(retry)
      video.removeEventListener('error', reload)
    },
  }
}
