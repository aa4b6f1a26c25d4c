import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShowApi, type ShowApi } from '../../../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../../../lib/client/documents.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { defaultRetries } from '../../../../lib/platform/client/http/retries.ts'
import { joinSession, type Participant } from '../../../../local/sandbox/participants/client.ts'
import { type ConsoleInChromium, openConsole } from '../../../support/browsers/console-page.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { findCells } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { stopAndDownload } from '../../../support/only-recording.ts'

const SHOW = {
  version: 1.1,
  name: 'Rehearsal',
  duration: 1_200,
  recordings: [{ name: 'program' }],
} satisfies ShowDocument

/** Calls that fail: more than the client repeats within one attempt of the task. */
const FAULTS = defaultRetries.attempts + 1

/** Seconds that the part after the failure is recorded, at least. */
const RECORDED = 4

/** Breaks what a running show depends on, and follows in the console of `npm start` how the show survives it. */
describe('Break it, in Chromium', () => {
  let opened: ConsoleInChromium
  let api: ShowApi
  let page: Page
  let showId: string
  let ada: Participant | undefined

  beforeAll(async () => {
    opened = await openConsole()
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

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const row = (text: string) => page.locator('#now .resources').getByRole('listitem').filter({ hasText: text })
  const failure = (title: string) =>
    page.getByRole('log', { name: 'Failures of Rehearsal' }).getByRole('listitem').filter({ hasText: title })
  /** Resolves once the list of failures names a failure, and that the show has survived it. */
  const survives = (title: string) =>
    failure(title)
      .getByText(/^\d\d:\d\d:\d\d to \d\d:\d\d:\d\d: survived$/)
      .waitFor()
  const program = async () => (await api.shows.get(showId)).recordings.filter(({ name }) => name === 'program')

  it('orders a fault of the platform, which the retried task survives', async () => {
    const choices = page.locator('#break select')
    await choices.nth(0).selectOption('startArchive')
    await choices.nth(1).selectOption({ label: 'Answers 503' })
    await page.getByLabel('Times', { exact: true }).fill(String(FAULTS))
    await button('Order the fault').press('Enter')
    const ordered = page.getByRole('list', { name: 'Ordered faults' }).getByRole('listitem')
    await ordered.getByText(`Start a recording: Answers 503, ${FAULTS} times more`).waitFor()
    showId = (await api.shows.start(SHOW)).showId
    await expect.poll(async () => (await api.shows.get(showId)).sessionId).toBeDefined()
    const { sessionId, token } = await api.tokens.create(showId, { role: 'publisher', data: 'Ada' })
    ada = await joinSession({ url: opened.local.ready.sandboxUrl, sessionId, token })
    await ada.publish({ name: 'Ada' })
    await survives('The task Start recording of the machine show failed')
    await ordered.waitFor({ state: 'detached' })
    await row('Recording program')
      .getByText(/^since \d\d:\d\d:\d\d/)
      .waitFor()
    expect((await program()).map(({ status }) => status)).toEqual(['started'])
  })

  it('kills the ffmpeg of the recording, which continues in another part', async () => {
    await button('Kill an ffmpeg').press('Enter')
    await page.getByText(/^Process \d+ was killed\.$/).waitFor()
    await survives('Recording program failed')
    await row('program (part 2)')
      .getByText(/^since \d\d:\d\d:\d\d/)
      .waitFor()
    expect((await program()).map(({ status }) => status)).toEqual(['failed', 'started'])
    const startedAt = Date.parse((await program())[1]?.createdAt ?? '')
    await expect.poll(() => Date.now() - startedAt > RECORDED * 1000).toBe(true)
  })

  it('publishes what was recorded since, with the picture and audio of the participant', async () => {
    const { file } = await stopAndDownload(api, showId, opened.directory)
    const ffmpeg = await findFfmpeg()
    const pictures = await decodePictures(ffmpeg, file, { width: 640, height: 360 })
    expect(pictures.length / 30).toBeGreaterThan(RECORDED - 1)
    expect(pictures.slice(30).filter((picture) => findCells(picture).has(0))).toHaveLength(pictures.length - 30)
    expect(beepOnsets(await decodeAudio(ffmpeg, file), 0).length).toBeGreaterThan(RECORDED - 2)
    expect(opened.complaints).toEqual([])
  })
})
