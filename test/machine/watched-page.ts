import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { collectComplaints } from '../support/browsers/complaints.ts'
import type { State, Video } from './watched-video.ts'

export type WatchedPage = Awaited<ReturnType<typeof openWatchedPage>>

interface Opening {
  /** True for a small screen with touch. */
  readonly onPhone?: boolean
  /** True if the test moves the clock of the page. */
  readonly hasClock?: boolean
}

const DESKTOP = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 420 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

/** Opens the watch page of a recording in a context of its own. */
export async function openWatchedPage(browser: Browser, url: string, { onPhone, hasClock }: Opening = {}) {
  const page = await (await browser.newContext(onPhone ? PHONE : DESKTOP)).newPage()
  const complaints = collectComplaints(page)
  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  if (hasClock) await page.clock.install()
  await page.goto(url)
  await page.locator('#controls').waitFor()
  const video = page.locator('#video')
  await video.evaluate((element) => {
    const video = element as unknown as Video
    video.addEventListener('seeking', () => {
      video.seeks = [...(video.seeks ?? []), video.currentTime]
    })
  })

  const now = (): Promise<State> =>
    video.evaluate((element) => {
      const video = element as unknown as Video
      const { currentTime: time, paused, poster, videoWidth: width, videoHeight: height, playbackRate: rate } = video
      const shown = [...video.textTracks].filter(({ mode }) => mode === 'showing')
      const captions = shown.flatMap(({ activeCues }) => [...(activeCues ?? [])].map(({ text }) => text))
      return { time, paused, poster, width, height, rate, captions, seeks: video.seeks ?? [] }
    })

  return {
    page,
    /** Returns errors of the console, and the URLs of requests that were refused. */
    problems: () => [...complaints, ...refused],
    now,
    /** Polls the video until the condition holds. */
    until: (condition: (state: State) => boolean) => expect.poll(async () => condition(await now())).toBe(true),
    playFromTheBeginning: () =>
      video.evaluate((element) => {
        const video = element as unknown as Video
        video.currentTime = 0
        return video.play()
      }),
    seek: (time: number) =>
      video.evaluate((element, time) => {
        const video = element as unknown as Video
        video.currentTime = time
      }, time),
    /** Returns the point of the bar at a share of the recording. */
    async along(share: number) {
      const bar = await page.locator('#track').boundingBox()
      if (!bar) throw new Error('The page shows no bar.')
      return { x: bar.x + bar.width * share, y: bar.y + bar.height / 2 }
    },
    close: () => page.context().close(),
  }
}
