import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { type Program, startProgram } from '../support/program.ts'

/** `npm start` in a real browser: a show is started by its button, watched live, and played back. */
describe('console, in Chromium', () => {
  let directory: string
  let laptop: Program
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'showrunner-machine-'))
    laptop = startProgram(['start', '--directory', join(directory, 'local')])
    const [, address = ''] = await laptop.says(/(http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)/)
    browser = await launchChromium()
    page = await browser.newPage()
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(address)
  })
  afterAll(async () => {
    await browser?.close()
    laptop?.child.kill('SIGINT')
    await laptop?.ended
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
  })

  it('plays the recording once it is published', async () => {
    await page.getByText('Succeeded').first().waitFor({ timeout: 300_000 })
    const recording = page.locator('li.recording video')
    await recording.first().waitFor()
    await recording.first().evaluate(async (element) => {
      const video = element as unknown as Video
      video.muted = true
      await video.play()
    })
    await plays(recording)
  })

  it('leads to the watch page of each recording', async () => {
    const [watching] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Watch' }).first().click(),
    ])
    await watching.locator('#controls').waitFor()
    await watching.getByRole('button', { name: 'Watch from the beginning' }).click()
    await plays(watching.locator('#video'))
  })

  it('logs no error of the page', () => expect(complaints).toEqual([]))
})

/** What these tests touch of a video; functions given to the page run there, where it is one. */
interface Video {
  readonly currentTime: number
  muted: boolean
  play(): Promise<void>
}
