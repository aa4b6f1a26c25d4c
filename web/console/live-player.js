import { element, setText } from './dom.js'

const RETRY_MS = 1_500

/** Plays a live broadcast, muted so that it may start by itself; until the playlist is there, and when it breaks off, it tries again. */
export function createLivePlayer() {
  const video = element('video', { controls: '', playsinline: '', 'aria-label': 'Live broadcast' })
  video.muted = true
  const note = element('p', { class: 'note', role: 'status' })
  const root = element('div', { class: 'stage' }, video, note)
  /** @type {string | undefined} */
  let playing
  /** @type {(() => void) | undefined} */
  let stop

  video.addEventListener('playing', () => say(undefined))
  const say = (/** @type {string | undefined} */ words) => setText(note, words)

  return {
    element: root,
    /** @param {string} url of the playlist; the same again changes nothing */
    async play(url) {
      if (url === playing) return
      this.stop()
      playing = url
      say('The broadcast is starting …')
      const { default: Hls } = await import('/hls.js')
      if (playing !== url) return
      stop = Hls.isSupported() ? playByHls(Hls, video, url, say) : playNatively(video, url)
    },
    stop() {
      stop?.()
      stop = undefined
      playing = undefined
    },
  }
}

/**
 * Without a worker, which would have to be allowed to run code from a blob: taking two-second segments apart is little work.
 * @param {typeof import('/hls.js').default} Hls
 * @param {HTMLVideoElement} video
 * @param {string} url
 * @param {(words: string | undefined) => void} say
 */
function playByHls(Hls, video, url, say) {
  const hls = new Hls({ enableWorker: false, liveSyncDurationCount: 2 })
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry
  hls.on(Hls.Events.MANIFEST_PARSED, () => void video.play().catch(() => say('Press play to watch.')))
  hls.on(Hls.Events.ERROR, (_, { fatal }) => {
    if (!fatal) return
    say('The broadcast is starting …')
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

/**
 * @param {HTMLVideoElement} video
 * @param {string} url
 */
function playNatively(video, url) {
  const start = () => {
    video.src = url
    void video.play().catch(() => {}) // its controls are there
  }
  const again = () => {
    retry = setTimeout(start, RETRY_MS)
  }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry
  video.addEventListener('error', again)
  start()
  return () => {
    clearTimeout(retry)
    video.removeEventListener('error', again)
    video.removeAttribute('src')
    video.load()
  }
}
