import { followLiveEdge, LOW_LATENCY } from '../../live-edge.ts'
import { timeNow } from '../clock.ts'
import { kilobitsOf, type Piece } from '../outputs/playlist-bitrate.ts'
import type { PlayerEvents, PlayingSource } from './playing-source.ts'

const RETRY_MS = 1_500

/** Plays a playlist, and tries again until there is one. The latency is that of the date in the playlist, if it has one. */
export function playHls(video: HTMLVideoElement, url: string, events: PlayerEvents): PlayingSource {
  let isStopped = false
  let player: PlayingSource | undefined
  void import('/hls.js').then(({ default: Hls }) => {
    if (isStopped) return
    player = Hls.isSupported() ? playByHls(Hls, video, url, events) : playNatively(video, url)
  })
  return {
    measure: async () => (await player?.measure()) ?? {},
    stop() {
      isStopped = true
      player?.stop()
    },
  }
}

/** Plays without a worker, since the page may not run code from a blob. Demuxing two-second segments is little work. */
function playByHls(
  Hls: typeof import('/hls.js').default,
  video: HTMLVideoElement,
  url: string,
  { notify }: PlayerEvents,
): PlayingSource {
  const hls = new Hls({ enableWorker: false, liveSyncDurationCount: 2, backBufferLength: 30, ...LOW_LATENCY })
  let retry: ReturnType<typeof setTimeout> | undefined
  hls.on(Hls.Events.MANIFEST_PARSED, () => void video.play().catch(() => notify('Press play to watch.')))
  hls.on(Hls.Events.ERROR, (_, { fatal }) => {
    if (!fatal) return
    notify('The broadcast is starting …')
    clearTimeout(retry)
    retry = setTimeout(() => hls.loadSource(url), RETRY_MS)
  })
  const edge = followLiveEdge(hls, video, Hls.Events)
  const loaded: Piece[] = []
  hls.on(Hls.Events.FRAG_LOADED, (_, { frag, part, payload }) => {
    // Audio that is separate counts by its bytes only: it covers the same time.
    loaded.push({ bytes: payload.byteLength, seconds: frag.type === 'main' ? (part ?? frag).duration : 0 })
    if (loaded.length > LOADED) loaded.shift()
  })
  hls.loadSource(url)
  hls.attachMedia(video)
  const latency = () => {
    const shown = hls.playingDate?.getTime()
    if (shown !== undefined) return (timeNow() - shown) / 1000
    return hls.latency > 0 ? hls.latency : undefined
  }
  return {
    measure: async () => ({ latency: latency(), kilobits: kilobitsOf(loaded) }),
    stop() {
      clearTimeout(retry)
      edge.stop()
      hls.destroy()
    },
  }
}

/** Segments and parts by which the bitrate is measured. */
const LOADED = 20

function playNatively(video: HTMLVideoElement, url: string): PlayingSource {
  let retry: ReturnType<typeof setTimeout> | undefined
  const start = () => {
    video.src = url
    void video.play().catch(() => {}) // the user can press play in its controls
  }
  const startLater = () => {
    retry = setTimeout(start, RETRY_MS)
  }
  video.addEventListener('error', startLater)
  start()
  return {
    async measure() {
      const { seekable } = video
      return seekable.length > 0 ? { latency: seekable.end(seekable.length - 1) - video.currentTime } : {}
    },
    stop() {
      clearTimeout(retry)
      video.removeEventListener('error', startLater)
      video.removeAttribute('src')
      video.load()
    },
  }
}
