import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createPicture } from '../../local/sandbox/media/composing/picture.ts'
import { findCells, readCellTimecode } from '../../local/sandbox/media/pattern/cells.ts'
import { TIMECODE_ROUND } from '../../local/sandbox/media/pattern/timecode.ts'
import { timeOf } from '../../local/sandbox/media/timebase.ts'
import { type LivePlayerName, playerScript } from './page-players.ts'

const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  '--autoplay-policy=no-user-gesture-required',
]
const SIZE = { width: 640, height: 480 }
const SCRIPT = '/player.js'

/** A broadcast by HLS. */
interface PlayedBroadcast {
  readonly playlist: string
  readonly dvr: boolean
  readonly lowLatency: boolean
}

/** A page that plays a live broadcast. */
export interface LivePage {
  readonly page: Page
  /** Resolves with the milliseconds from the opening of the page to its first frame. */
  firstFrame(): Promise<number>
  /** Returns the milliseconds from a frame in the sandbox to the same frame on the page; undefined while it shows none. */
  latency(): Promise<number | undefined>
  close(): Promise<void>
}

/** Launches a Chromium that plays without a click. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ARGUMENTS })

/**
 * Opens a broadcast in Chromium. The picture must be a pattern of the sandbox, since its timecode is read.
 * @param player @default that of the watch page
 */
export async function openLivePage(
  executablePath: string,
  live: PlayedBroadcast,
  player: LivePlayerName = 'hls.js',
): Promise<LivePage> {
  const script = await playerScript(player)
  const server = createServer(({ url }, response) => {
    const [type, body] = url === SCRIPT ? ['text/javascript', script] : ['text/html', pageOf(live)]
    response.setHeader('content-type', type).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let browser: Browser | undefined
  const close = async () => {
    await browser?.close()
    server.close()
  }
  try {
    browser = await launchChromium(executablePath)
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return { page, firstFrame: () => page.evaluate('firstFrame'), latency: () => latencyOn(page), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function latencyOn(page: Page): Promise<number | undefined> {
  const { shownAt, planes } = (await page.evaluate('see()')) as { shownAt: number; planes: string }
  const picture = createPicture(SIZE.width, SIZE.height, new Uint8Array(Buffer.from(planes, 'base64')))
  const [cell] = findCells(picture).values()
  const code = cell && readCellTimecode(picture, cell)
  if (code === undefined) return undefined
  const round = timeOf(TIMECODE_ROUND)
  return (((shownAt - timeOf(code)) % round) + round) % round
}

/** Reads a frame as planes of YUV. A frame is shown when its callback is called. */
const pageOf = (live: PlayedBroadcast) => `<!doctype html><link rel="icon" href="data:,">
<video playsinline muted width="${SIZE.width}" height="${SIZE.height}"></video><script src="${SCRIPT}"></script>
<script>
let video = document.querySelector('video')
const shown = (element) => new Promise((resolve) => element.requestVideoFrameCallback(resolve))
const firstFrame = new Promise((resolve) => document.addEventListener('loadedmetadata', ({ target }) => shown(target).then(resolve), true))
const player = livePlayer.playLive(video, ${JSON.stringify(live)})
async function see() {
  const [width, height] = [${SIZE.width}, ${SIZE.height}]
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  video = document.querySelector('video') // video.js may replace it
  await Promise.race([shown(video), new Promise((resolve) => setTimeout(resolve, 1000))])
  const shownAt = Date.now()
  context.drawImage(video, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  const planes = new Uint8Array(width * height * 1.5)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [r, g, b] = data.subarray(4 * (y * width + x))
      planes[y * width + x] = 16 + 0.257 * r + 0.504 * g + 0.098 * b
      if (x % 2 || y % 2) continue
      const place = width * height + (y / 2) * (width / 2) + x / 2
      planes[place] = 128 - 0.148 * r - 0.291 * g + 0.439 * b
      planes[place + width * height / 4] = 128 + 0.439 * r - 0.368 * g - 0.071 * b
    }
  let text = ''
  for (let at = 0; at < planes.length; at += 32768) text += String.fromCharCode(...planes.subarray(at, at + 32768))
  return { shownAt, planes: btoa(text) }
}
</script>`
