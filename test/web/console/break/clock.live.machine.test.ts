import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShowApi, type ShowApi } from '../../../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../../../lib/client/documents.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { joinSession, type Participant } from '../../../../local/sandbox/participants/client.ts'
import { type ConsoleInChromium, openConsole } from '../../../support/browsers/console-page.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { findCells } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { stopAndDownload } from '../../../support/only-recording.ts'

const HOUR = 3_600_000
/** A show that does not start while the test runs, unless the clock moves. */
const startsAt = Date.now() + 2 * HOUR
const SHOW = {
  version: 1.1,
  name: 'Evening',
  start: { at: new Date(startsAt).toISOString().slice(0, 19), zone: 'UTC' },
  duration: 1_200,
  recordings: [{ name: 'program' }],
} satisfies ShowDocument

/** Seconds that are recorded, at least. */
const RECORDED = 4

/** Moves the clock of `npm start` to the hour of a scheduled show, which then runs as at any other time. */
describe('Move the clock, in Chromium', () => {
  let opened: ConsoleInChromium
  let api: ShowApi
  let page: Page
  let showId: string
  let ada: Participant | undefined

  beforeAll(async () => {
    opened = await openConsole({ hasCamera: true })
    api = createShowApi(opened.local.ready)
    page = opened.page
    const fold = page.getByText('Break it', { exact: true })
    await fold.waitFor()
    await fold.press('Enter')
  })
  afterAll(async () => {
    await ada?.leave()
    await opened?.close()
  })

  /** Moves the clock by a number of minutes, by keyboard. */
  async function move(minutes: number): Promise<void> {
    await page.getByLabel('Minutes forward').fill(String(minutes))
    await page.getByRole('button', { name: 'Move the clock', exact: true }).press('Enter')
  }

  it('starts a scheduled show hours early', async () => {
    showId = (await api.shows.start(SHOW)).showId
    await page.locator('#next').getByText('Evening', { exact: true }).waitFor()
    await page.getByText(/^It is \d\d:\d\d:\d\d, as on this machine\.$/).waitFor()
    await move(122)
    await page.getByText(/^It is \d\d:\d\d:\d\d now\.$/).waitFor()
    await page.getByText(/^It is \d\d:\d\d:\d\d, 2 h 2 min ahead of this machine\.$/).waitFor()
    await page.locator('#now').getByText('Evening', { exact: true }).waitFor()
    await expect.poll(async () => (await api.shows.get(showId)).sessionId).toBeDefined()
    // The state has the session before its timeline has the first event.
    const firstEvent = async () => Date.parse((await api.shows.get(showId)).timeline[0]?.at ?? '')
    await expect.poll(firstEvent).toBeGreaterThanOrEqual(startsAt)
  })

  it('records participants, and refuses to move meanwhile', async () => {
    const { sessionId, token } = await api.tokens.create(showId, { role: 'publisher', data: 'Ada' })
    ada = await joinSession({ url: opened.local.ready.sandboxUrl, sessionId, token })
    await ada.publish({ name: 'Ada' })
    const window = await (await opened.browser.newContext()).newPage()
    await window.goto(opened.local.ready.joinUrl)
    await window.getByLabel('Your name').fill('Grace')
    await window.getByRole('button', { name: 'Join', exact: true }).click()
    const tiles = page.getByRole('group', { name: 'Streams of Evening' }).getByRole('listitem')
    await tiles.filter({ hasText: 'Grace' }).getByText('In the program').waitFor()
    await page.getByText(/^\d\.\d\ss behind · /).waitFor()
    const joinedAt = Date.now()
    await expect.poll(() => Date.now() - joinedAt > RECORDED * 1000).toBe(true)
    await move(60)
    await page.getByText('Media is made in real time. Move the clock when no participant is connected.').waitFor()
    await window.context().close()
  })

  it('publishes the show with the pictures of both participants', async () => {
    const { recording, file } = await stopAndDownload(api, showId, opened.directory)
    expect(Date.parse(recording?.createdAt ?? '')).toBeGreaterThan(startsAt)
    expect(recording?.duration).toBeLessThan(HOUR / 1000)
    const ffmpeg = await findFfmpeg()
    const pictures = await decodePictures(ffmpeg, file, { width: 640, height: 360 })
    // Ada is left of Grace, whose picture is bright.
    const isBright = ({ planes: [{ data }] }: (typeof pictures)[number]) => (data[180 * 640 + 340] ?? 0) > 60
    const both = pictures.filter((picture) => findCells(picture).has(0) && isBright(picture))
    expect(both.length).toBeGreaterThan((RECORDED - 2) * 30)
    expect(beepOnsets(await decodeAudio(ffmpeg, file), 0).length).toBeGreaterThan(RECORDED - 2)
    expect(opened.complaints).toEqual([])
  })
})
