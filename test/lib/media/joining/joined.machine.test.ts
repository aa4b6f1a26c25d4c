import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPicture } from '../../../../local/sandbox/media/composing/picture.ts'
import { launchChromium } from '../../../support/browsers/chromium.ts'
import { readCellTimecode } from '../../../support/media/cells.ts'
import { useClips } from '../clips.ts'
import { publishedPart } from './published-part.ts'
import { recordStretches } from './rolled-over.ts'
import { writeJoined } from './written-joined.ts'

const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '60', '-pix_fmt', 'yuv420p']
const LATER = 41
const UNTIL = 240
const FRAMES = 360
const SIZE = { width: 320, height: 240 }
const PLAYER = fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.js'))

/** Keeps all complaints of hls.js, also those it recovers from. */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><video id="video" muted></video><script src="/player.js"></script><script>
  const complaints = []
  const hls = new Hls()
  hls.on(Hls.Events.ERROR, (_, { type, details }) => complaints.push(type + ': ' + details))
  hls.loadSource('/joined/master.m3u8')
  hls.attachMedia(video)
</script>`

describe('joined parts', () => {
  const clips = useClips()
  let server: Server
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const stretches = [
      { name: 'earlier.mp4', from: 0, until: UNTIL },
      { name: 'later.mp4', from: LATER, until: FRAMES },
    ]
    const parts = []
    for (const path of await recordStretches(clips, stretches, encoding))
      parts.push(await publishedPart(await clips.open(path), path))
    await writeJoined(join(clips.directory, 'joined'), parts, LATER / 30)

    server = createServer(async ({ url = '/', headers }, response) => {
      const { pathname } = new URL(url, 'http://localhost')
      if (pathname === '/') return response.setHeader('content-type', 'text/html').end(PAGE)
      const file = await readFile(pathname === '/player.js' ? PLAYER : join(clips.directory, pathname))
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
      if (first === undefined) return response.end(file)
      response.writeHead(206, { 'content-range': `bytes ${first}-${last}/${file.length}` })
      response.end(file.subarray(Number(first), Number(last) + 1))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    browser = await launchChromium()
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  /** Which frame of the pattern Chromium shows where one of the recording belongs; a seek is over before its picture is there. */
  async function shownAt(frame: number): Promise<number> {
    const brightness = await page.evaluate<number[]>(`new Promise((resolve) => {
      const look = (_, { mediaTime }) => {
        if (Math.abs(mediaTime - ${frame / 30}) > 0.5 / 30) return video.requestVideoFrameCallback(look)
        const canvas = document.createElement('canvas')
        canvas.width = ${SIZE.width}
        canvas.height = ${SIZE.height}
        const context = canvas.getContext('2d')
        context.drawImage(video, 0, 0)
        const { data } = context.getImageData(0, 0, ${SIZE.width}, ${SIZE.height})
        resolve(Array.from({ length: data.length / 4 }, (_, n) => 16 + Math.round(data[4 * n + 1] * 219 / 255)))
      }
      video.requestVideoFrameCallback(look)
      video.currentTime = ${(frame + 0.5) / 30}
    })`)
    const picture = createPicture(SIZE.width, SIZE.height)
    picture.data.set(brightness)
    return readCellTimecode(picture, { x: 0, y: 0, ...SIZE }) ?? Number.NaN
  }

  it('show the clock running on over their seam in Chromium, frame by frame', async () => {
    await page.waitForFunction('video.readyState >= 3')
    const first = (await shownAt(60)) - 60
    const seam = [...Array(8).keys()].map((n) => 216 + n) // the second part begins at its keyframe, 6 s and 41 frames from the start
    for (const frame of [0, 179, 180, ...seam, 239, 240, 300, FRAMES - 1])
      expect((await shownAt(frame)) - first, String(frame)).toBe(frame)
  })

  it('play to their end without a stop or a complaint', async () => {
    await page.evaluate('(video.currentTime = 0, video.playbackRate = 4, video.play())')
    await page.waitForFunction('video.ended', undefined, { timeout: 300_000 })
    const [duration, ranges, complaints] = (await page.evaluate(
      '[video.duration, video.buffered.length, complaints]',
    )) as [number, number, string[]]
    expect(complaints).toEqual([])
    expect(ranges).toBe(1)
    expect(Math.abs(duration - FRAMES / 30)).toBeLessThan(0.05)
  })
})
