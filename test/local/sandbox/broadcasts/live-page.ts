import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { listen } from '../../../../local/cloud/server.ts'
import { createPicture } from '../../../../local/sandbox/media/composing/picture.ts'
import { TIMECODE_ROUND } from '../../../../local/sandbox/media/pattern/timecode.ts'
import { timeOf } from '../../../../local/sandbox/media/timebase.ts'
import { launchChromium } from '../../../support/browsers/chromium.ts'
import { findCells, readCellTimecode } from '../../../support/media/cells.ts'

const SIZE = { width: 640, height: 480 }
const HLS_SCRIPT = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js')

/** Opens a page that plays a playlist with hls.js, as the watch page does for low latency. */
export async function openLivePage(playlist: string) {
  const script = await readFile(HLS_SCRIPT)
  const server = await listen(async ({ url }) =>
    new URL(url).pathname === '/hls.js'
      ? new Response(script, { headers: { 'content-type': 'text/javascript' } })
      : new Response(PAGE, { headers: { 'content-type': 'text/html' } }),
  )
  const browser = await launchChromium()
  const close = async () => {
    await browser.close()
    await server.close()
  }
  onTestFinished(close)
  const page = await (await browser.newContext()).newPage()
  await page.goto(server.url)
  await page.evaluate(`playLive(${JSON.stringify(playlist)})`)
  return {
    page,
    /** Errors of hls.js, with the details of each. */
    errors: () => page.evaluate('errors') as Promise<string[]>,
    see: () => see(page),
    close,
  }
}

/** Returns the milliseconds from a frame in the sandbox to the same frame on the page; undefined while there is none. */
async function see(page: Page): Promise<number | undefined> {
  const { shownAt, planes } = (await page.evaluate('shownNow()')) as { shownAt: number; planes: string }
  const picture = createPicture(SIZE.width, SIZE.height, new Uint8Array(Buffer.from(planes, 'base64')))
  const [cell] = findCells(picture).values()
  const code = cell && readCellTimecode(picture, cell)
  if (code === undefined) return undefined
  const round = timeOf(TIMECODE_ROUND)
  const drawnAt = timeOf(code)
  return (((shownAt - drawnAt) % round) + round) % round
}

const PAGE = `<!doctype html><video id="video" muted playsinline width="640" height="480"></video><script src="/hls.js"></script>
<script>
const video = document.getElementById('video')
const errors = []
let hls
function playLive(url) {
  hls = new Hls({ lowLatencyMode: true, liveSyncOnStallIncrease: 0.3, maxLiveSyncPlaybackRate: 1.05 })
  hls.on(Hls.Events.ERROR, (_, { details, fatal }) => errors.push(details + (fatal ? ' (fatal)' : '')))
  hls.on(Hls.Events.MANIFEST_PARSED, () => video.play())
  hls.loadSource(url)
  hls.attachMedia(video)
}
async function seek(time) {
  video.currentTime = time
  await video.play()
}
async function shownNow() {
  const canvas = new OffscreenCanvas(${SIZE.width}, ${SIZE.height})
  const context = canvas.getContext('2d', { willReadFrequently: true })
  await Promise.race([new Promise((done) => video.requestVideoFrameCallback(done)), new Promise((done) => setTimeout(done, 1000))])
  const shownAt = Date.now()
  context.drawImage(video, 0, 0, canvas.width, canvas.height)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const [width, height] = [canvas.width, canvas.height]
  const planes = new Uint8Array(width * height * 1.5)
  const [u, v] = [width * height, width * height * 1.25]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x)
      const [r, g, b] = [data[at], data[at + 1], data[at + 2]]
      planes[y * width + x] = 16 + 0.257 * r + 0.504 * g + 0.098 * b
      if (x % 2 || y % 2) continue
      const place = (y / 2) * (width / 2) + x / 2
      planes[u + place] = 128 - 0.148 * r - 0.291 * g + 0.439 * b
      planes[v + place] = 128 + 0.439 * r - 0.368 * g - 0.071 * b
    }
  let text = ''
  for (let start = 0; start < planes.length; start += 32768) text += String.fromCharCode(...planes.subarray(start, start + 32768))
  return { shownAt, planes: btoa(text) }
}
</script>`
