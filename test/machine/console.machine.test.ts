import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Program, startProgram } from '../support/program.ts'
import { findTool } from '../support/tools.ts'

/** Flags that keep Chromium from asking for anything outside this machine. */
const OFFLINE = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync']
const MUTED_AUTOPLAY = '--autoplay-policy=no-user-gesture-required'

/** `npm start` in a real browser: a show is started by its button, watched live, and played back. */
describe('console, in Chromium', () => {
  let directory: string
  let laptop: Program
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    const executablePath = await findTool('chromium', 'chromium')
    directory = await mkdtemp(join(tmpdir(), 'showrunner-machine-'))
    laptop = startProgram(['start', '--directory', join(directory, 'local')])
    const [, address = ''] = await laptop.says(/(http:\/\/127\.0\.0\.1:\d+)/)
    browser = await chromium.launch({ executablePath, args: [...OFFLINE, MUTED_AUTOPLAY] })
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

  /** In the page, whose own types this test does not know. */
  const plays = () =>
    page.waitForFunction(
      '[...document.querySelectorAll("video")].some((video) => video.currentTime > 1 && !video.paused)',
    )

  it('shows the broadcast while the show is live', async () => {
    await page.getByRole('button', { name: /example/i }).click()
    await plays()
    expect(await page.getByText(/live/i).first().isVisible()).toBe(true)
  })

  it('plays the recording once it is published', async () => {
    await page.getByText('Succeeded').first().waitFor({ timeout: 90_000 })
    await page.evaluate(
      '[...document.querySelectorAll("video")].forEach((video) => { video.muted = true; video.play() })',
    )
    await plays()
  })

  it('logs no error of the page', () => expect(complaints).toEqual([]))
})
