import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../bin/local/root.ts'
import { createShowApi } from '../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../lib/client/documents.ts'
import { launchChromium } from '../support/browsers/chromium.ts'
import { collectComplaints } from '../support/browsers/complaints.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../support/ready-program.ts'

/**
 * Uses `npm start` in a real browser: starts a show, watches it live and plays its recording. With SHOW_DOCS=1 it writes the
 * screenshot of the documents.
 */
describe('console, in Chromium', () => {
  let directory: string
  let local: ReadyProgram<LocalAddresses>
  let browser: Browser
  let page: Page
  let complaints: readonly string[]

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'showrunner-machine-'))
    local = await startLocal(join(directory, 'local'))
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    complaints = collectComplaints(page)
    // The example lasts until it has been seen: a busy machine would show it after its end.
    await page.route('**/example.json', async (route) => {
      const example: ShowDocument = await (await route.fetch()).json()
      await route.fulfill({ json: { ...example, duration: 1_200 } })
    })
    await page.goto(local.ready.consoleUrl)
  })
  afterAll(async () => {
    await browser?.close()
    await local?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  /** Resolves once a video has played for a second. */
  const plays = (videos: Locator) => expect.poll(async () => (await position(videos.first())) > 1).toBe(true)
  const position = (video: Locator) => video.evaluate((element) => (element as unknown as Video).currentTime)

  it('shows the broadcast while the show is live', async () => {
    await page.getByRole('button', { name: /example/i }).click()
    const live = page.locator('.show video')
    await live.first().waitFor()
    await plays(live)
    if (process.env.SHOW_DOCS) await page.screenshot({ path: join(root, 'docs/images/console.png') })
    const { shows, controls } = createShowApi(local.ready)
    for await (const { showId } of shows.list()) await controls.stop(showId)
  })

  it('plays the recording once it is published', async () => {
    await page.locator('.show').getByText('Stopped', { exact: true }).first().waitFor()
    const recording = page.locator('li.recording video')
    await recording.first().waitFor()
    await recording.first().evaluate(async (element) => {
      const video = element as unknown as Video
      video.muted = true
      await video.play()
    })
    await plays(recording)
  })

  it('links to the watch page of each recording', async () => {
    const [watching] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Watch', exact: true }).first().click(),
    ])
    await watching.locator('#controls').waitFor()
    await watching.getByRole('button', { name: 'Watch from the beginning' }).click()
    await plays(watching.locator('#video'))
  })

  it('logs no error of the page', () => expect(complaints).toEqual([]))
})

/** The members of a video that these tests use. Functions passed to the page run there. */
interface Video {
  readonly currentTime: number
  muted: boolean
  play(): Promise<void>
}
