import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createPlatformClient } from '../../../../lib/platform/client/client.ts'
import { createMedia } from '../../../../local/sandbox/media/create-media.ts'
import { type SandboxServer, startSandbox } from '../../../../local/sandbox/server.ts'
import { launchChromium } from '../../../support/browsers/chromium.ts'

let directory: string
let server: SandboxServer
let browser: Browser
const clock = createSteppedClock(Date.UTC(2026, 10, 20, 9), () => server.settled())

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'downloads-'))
  const media = await createMedia({ ffmpegPath: await findFfmpeg(), clock, directory: join(directory, 'media') })
  server = await startSandbox({ media, clock, openControl: true })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await rm(directory, { recursive: true, force: true })
})

/** Records a minute, as fast as the machine can, and returns the URL of its file. */
async function recordMinute(): Promise<string> {
  const { url: baseUrl, apiKey, apiSecret } = server
  const platform = createPlatformClient({ baseUrl, apiKey, apiSecret, clock })
  const [session] = await platform.createSession({})
  const sessionId = String(session?.session_id)
  await fetch(`${baseUrl}/sandbox/sessions/${sessionId}/participants`, { method: 'POST', body: '{"name":"Ada"}' })
  const { id: archiveId } = await platform.startArchive({ sessionId })
  await clock.advance(60_000)
  await platform.stopArchive({ archiveId })
  await server.settled()
  return String((await platform.getArchive({ archiveId })).url)
}

/** Members of the video element that the page uses. */
interface Video {
  readonly duration: number
  readonly seekable: { end(index: number): number }
  currentTime: number
  onseeked: () => void
}

it('serves an archive in which Chromium can seek', async () => {
  const page = await browser.newPage()
  await page.setContent(`<video src="${await recordMinute()}" preload="metadata" muted></video>`)
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((element) => (element as unknown as Video).duration)).toBeCloseTo(60, 0)
  const seen = await video.evaluate(async (element) => {
    const it = element as unknown as Video
    const sought = new Promise<void>((resolve) => {
      it.onseeked = resolve
    })
    it.currentTime = 45
    await sought
    return { end: it.seekable.end(0), position: it.currentTime }
  })
  expect(seen).toEqual({ end: expect.closeTo(60, 0), position: 45 })
})
