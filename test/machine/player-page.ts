import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Route } from 'playwright-core'
import { playerScript } from '../../bench/live-hls/page-players.ts'
import { listen } from '../../local/cloud/server.ts'

/** Players of HLS, each by its own parser, loader and buffer; `watch` is hls.js as the watch page uses it. */
export const PLAYERS = ['hls', 'shaka', 'videojs', 'watch'] as const

export type PlayerName = (typeof PLAYERS)[number]

const { resolve } = createRequire(import.meta.url)
const packaged = (path: string) => () => readFile(resolve(path))
const SCRIPTS: Readonly<Record<PlayerName, () => Promise<string | Buffer>>> = {
  hls: packaged('hls.js/dist/hls.min.js'),
  shaka: packaged('shaka-player/dist/shaka-player.compiled.js'),
  videojs: packaged('video.js/dist/video.min.js'),
  watch: () => playerScript('hls.js'),
}

/** State of a player; times in seconds. */
export interface PlayerState {
  /** By the clock of the page. */
  readonly at: number
  readonly time: number
  /** From the time to the end of what can be sought. */
  readonly behind: number
  /** Beginning of what can be sought. */
  readonly start: number
  /** True if the player has no picture to show next. */
  readonly isDry: boolean
  /** Errors of the player. Those of a broken connection are left out: each player tries again. */
  readonly errors: readonly string[]
}

/** A page that plays one playlist with one player. */
export interface PlayerPage {
  state(): Promise<PlayerState>
  seek(time: number): Promise<void>
  goLive(): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  /** Holds every request for media and playlists, or lets none through, until the returned function is called. */
  interrupt(how: 'hold' | 'abort'): Promise<() => Promise<void>>
  /** Messages of the console that are errors, without those of an interruption. */
  readonly complaints: readonly string[]
}

/** Serves the pages of all players. */
export async function servePlayers() {
  return listen(async ({ url }) => {
    const name = new URL(url).pathname.slice(1)
    const [player = '', extension] = name.split('.')
    if (!(player in SCRIPTS)) return new Response(null, { status: 404 })
    return extension === 'js'
      ? new Response(await SCRIPTS[player as PlayerName](), {
          headers: { 'content-type': 'text/javascript' },
        })
      : new Response(pageOf(player), { headers: { 'content-type': 'text/html' } })
  })
}

const MEDIA = '**/broadcasts/**'

interface PlayedBroadcast {
  readonly playlist: string
  readonly lowLatency?: boolean
  readonly dvr?: boolean
}

/** Plays a playlist with one player, on a new page. */
export async function openPlayer(
  { browser, address }: { readonly browser: Browser; readonly address: string },
  player: PlayerName,
  { playlist, lowLatency = false, dvr = false }: PlayedBroadcast,
): Promise<PlayerPage> {
  const page = await (await browser.newContext({ viewport: { width: 640, height: 360 } })).newPage()
  const complaints: string[] = []
  let isInterrupted = false
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isInterrupted) complaints.push(`${message.text()} ${message.location().url}`)
  })
  await page.goto(`${address}/${player}.html`)
  await page.evaluate(`begin(${JSON.stringify(playlist)}, ${lowLatency}, ${dvr})`)
  return {
    complaints,
    state: () => page.evaluate('state()'),
    seek: (time) => page.evaluate(`seek(${time})`),
    goLive: () => page.evaluate('goLive()'),
    pause: () => page.evaluate('playing().pause()'),
    resume: () => page.evaluate('playing().play()'),
    async interrupt(how) {
      isInterrupted = how === 'abort'
      const handler = async (route: Route) => {
        if (how === 'abort') await route.abort()
      }
      await page.route(MEDIA, handler)
      return async () => {
        await page.unroute(MEDIA, handler) // continues what was held
        isInterrupted = false
      }
    },
  }
}

const pageOf = (player: string) => `<!doctype html><link rel="icon" href="data:,">
<video id="video" muted playsinline width="640" height="360"></video><script src="/${player}.js"></script>
<script>
const video = document.getElementById('video')
const errors = []
let edge = () => undefined
const players = {
  hls(url, lowLatency) {
    const hls = new Hls({ lowLatencyMode: lowLatency })
    hls.on(Hls.Events.ERROR, (_, { type, details, fatal }) => {
      if (fatal && type === Hls.ErrorTypes.NETWORK_ERROR) return hls.startLoad()
      if (fatal) errors.push(details)
    })
    hls.loadSource(url)
    hls.attachMedia(video)
    edge = () => (video.currentTime = hls.liveSyncPosition)
    return video.play()
  },
  async shaka(url, lowLatency) {
    const player = new shaka.Player()
    await player.attach(video)
    player.configure({ streaming: { lowLatencyMode: lowLatency } })
    player.addEventListener('error', ({ detail }) => {
      if (detail.category !== shaka.util.Error.Category.NETWORK) errors.push('shaka ' + (detail.code ?? detail))
    })
    await player.load(url)
    edge = () => player.goToLive()
    await video.play()
  },
  videojs(url, lowLatency) {
    const player = videojs(video, { autoplay: 'muted', liveui: true, html5: { vhs: { overrideNative: true, llhls: lowLatency } } })
    player.on('error', () => errors.push('video.js ' + player.error()?.message))
    player.src({ src: url, type: 'application/x-mpegURL' })
    edge = () => player.liveTracker.seekToLiveEdge()
  },
  watch(playlist, lowLatency, dvr) {
    const player = livePlayer.playLive(video, { playlist, lowLatency, dvr })
    edge = () => player.catchUp()
  },
}
const begin = (...given) => void players.${player}(...given)
const playing = () => document.querySelector('video')
async function seek(time) {
  playing().currentTime = time
  await playing().play()
}
async function goLive() {
  edge()
  await playing().play()
}
function state() {
  const { currentTime: time, seekable, readyState } = playing()
  const last = seekable.length - 1
  return {
    at: performance.now() / 1000, time, isDry: readyState < 3, errors,
    start: last < 0 ? 0 : seekable.start(0),
    behind: last < 0 ? 0 : seekable.end(last) - time,
  }
}
</script>`
