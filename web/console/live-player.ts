import { element, setText } from '../dom.ts'

const RETRY_MS = 1_500

/** Creates a player for a live broadcast. It is muted, so that it may autoplay, and retries until there is a playlist. */
export function createLivePlayer() {
  const video = element('video', { controls: '', playsinline: '', 'aria-label': 'Live broadcast' })
  video.muted = true
  const note = element('p', { class: 'note', role: 'status' })
  const root = element('div', { class: 'stage' }, video, note)
  let playing: string | undefined
  let stop: (() => void) | undefined

  const notify = (text?: string) => setText(note, text)
  video.addEventListener('playing', () => notify())

  return {
    element: root,
    /** Plays a playlist. The URL that is playing already changes nothing. */
    async play(url: string) {
      if (url === playing) return
      this.stop()
      playing = url
      notify('The broadcast is starting …')
      const { default: Hls } = await import('/hls.js')
      if (playing !== url) return
      stop = Hls.isSupported() ? playByHls(Hls, video, url, notify) : playNatively(video, url)
    },
    stop() {
      stop?.()
      stop = undefined
      playing = undefined
    },
  }
}

/** Plays without a worker, since the page may not run code from a blob. Demuxing two-second segments is little work. */
function playByHls(
  Hls: typeof import('/hls.js').default,
  video: HTMLVideoElement,
  url: string,
  notify: (text?: string) => void,
): () => void {
  const hls = new Hls({ enableWorker: false, liveSyncDurationCount: 2 })
  let retry: ReturnType<typeof setTimeout> | undefined
  hls.on(Hls.Events.MANIFEST_PARSED, () => void video.play().catch(() => notify('Press play to watch.')))
  hls.on(Hls.Events.ERROR, (_, { fatal }) => {
    if (!fatal) return
    notify('The broadcast is starting …')
    clearTimeout(retry)
    retry = setTimeout(() => hls.loadSource(url), RETRY_MS)
  })
  hls.loadSource(url)
  hls.attachMedia(video)
  return () => {
    clearTimeout(retry)
    hls.destroy()
  }
}

function playNatively(video: HTMLVideoElement, url: string): () => void {
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
  return () => {
    clearTimeout(retry)
    video.removeEventListener('error', startLater)
    video.removeAttribute('src')
    video.load()
  }
}
