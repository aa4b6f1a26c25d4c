import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShowApi, type ShowApi } from '../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../lib/client/documents.ts'
import { expectAccessible } from '../support/browsers/accessibility.ts'
import {
  type ConsoleInChromium,
  openConsole,
  printPageOfFailure,
  startExample,
} from '../support/browsers/console-page.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** A generated camera and microphone, which pages may use without a prompt. */
const FAKE_DEVICES = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** A series that does not start while the test runs. */
const nextMonth = new Date(Date.now() + 30 * 86_400_000)
const SERIES = {
  version: 1.1,
  name: 'Weekly webinar',
  start: { cron: `0 3 ${nextMonth.getUTCDate()} ${nextMonth.getUTCMonth() + 1} ? *`, zone: 'UTC' },
  duration: 60,
  recordings: [{ name: 'program' }],
} satisfies ShowDocument

/** Uses `npm start` in a real browser: starts a show, watches it live, controls it, and plays its recording. */
describe('console, in Chromium', () => {
  let opened: ConsoleInChromium
  let api: ShowApi
  let page: Page

  beforeAll(async () => {
    const context = { permissions: ['clipboard-read', 'clipboard-write'] }
    opened = await openConsole({ flags: FAKE_DEVICES, context, example: { duration: 1_200 } })
    api = createShowApi(opened.local.ready)
    page = opened.page
  })
  afterAll(() => opened?.close())
  printPageOfFailure(() => opened?.page)

  /** Resolves once a video has played for a second. */
  const plays = (videos: Locator) => expect.poll(async () => (await position(videos.first())) > 1).toBe(true)
  const position = (video: Locator) => video.evaluate((element) => (element as unknown as Video).currentTime)
  const group = (name: string) => page.getByRole('group', { name, exact: true })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  /** Resolves with the outcome of an action, once a group shows it. */
  const outcome = async (name: string, text: RegExp) => {
    const line = group(name).locator('.control-line')
    await expect.poll(() => line.textContent()).toMatch(text)
    return line.textContent()
  }
  /** Matches the report of a change of layouts. On a busy machine, the watch machine completes it. */
  const reported = (done: string) =>
    new RegExp(`^(${done} at \\d\\d:\\d\\d:\\d\\d\\. In the recording: .+\\.$|Accepted\\.)`)
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  const liveShow = async () => {
    const { items } = await api.shows.list().page()
    return api.shows.get(items.find(({ name }) => name === 'Launch webinar')?.showId ?? '')
  }
  const layoutsOf = async () => {
    const { recordings, broadcasts } = await liveShow()
    return [...recordings, ...broadcasts].map(({ layout }) => layout?.type)
  }

  /** Runs axe in both color schemes, on a phone and on a desktop. Nothing may be wider than the window. */
  async function audit(): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const)
      for (const viewport of [PHONE, DESKTOP]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        await expectAccessible(page, `${colorScheme}, ${viewport.width} pixels`)
      }
  }

  it('links to the page of a series for its viewers, which counts down', async () => {
    const { showId } = await api.shows.start(SERIES)
    await page.locator('#next').getByText('Weekly webinar').waitFor()
    const link = page.getByRole('link', { name: 'Page for viewers of Weekly webinar, in a new tab' })
    const [viewing] = await Promise.all([page.waitForEvent('popup'), link.press('Enter')])
    expect(new URL(viewing.url()).pathname).toBe(`/watch/show/${showId}`)
    await viewing.getByText('The next show starts in', { exact: true }).waitFor()
    await viewing
      .getByRole('timer')
      .getByText(/^(29|30) days$/)
      .waitFor()
    expect(await viewing.getByRole('heading', { level: 1 }).textContent()).toBe('Weekly webinar')
    await viewing.close()
  })

  it('deletes a scheduled show, after a confirmation that Escape declines', async () => {
    const { items } = await api.shows.list().page()
    const showId = items[0]?.showId ?? ''
    const remove = button('Delete the show Weekly webinar')
    await remove.press('Enter')
    await page.getByRole('dialog').press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await api.shows.get(showId)).status).toBe('scheduled')
    await remove.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the show' }).press('Enter')
    await page.locator('#past').getByText('Weekly webinar').waitFor()
    expect((await api.shows.get(showId)).status).toBe('stopped')
  })

  it('shows the broadcast while the show is live', async () => {
    await startExample(page)
    const live = page.locator('#now video')
    await live.first().waitFor()
    await plays(live)
  })

  it('moves the end, and shows the sentence of the API when it refuses', async () => {
    const { plannedEndAt = '' } = await liveShow()
    await button('+5 min for Launch webinar').click()
    await outcome('Move the end', /^The show ends at \d\d:\d\d:\d\d\.$/)
    expect(Date.parse((await liveShow()).plannedEndAt ?? '') - Date.parse(plannedEndAt)).toBe(300_000)
    await page.route('**/api/shows/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await route.continue({ postData: JSON.stringify({ endsAt: '2020-01-01T00:00:00Z' }) })
    })
    await button('−5 min for Launch webinar').click()
    await outcome('Move the end', /is in the past: stop the show instead/)
    await page.unroute('**/api/shows/*')
  })

  it('takes the layout of a picture, for all outputs and for one', async () => {
    const pip = button('Picture in picture')
    await pip.click()
    await button('Take').click()
    await outcome('Next layout', reported('Picture in picture was taken in program, speakers, live'))
    await expect.poll(layoutsOf).toEqual(['pip', 'pip', 'pip'])
    await expect.poll(() => pip.getAttribute('aria-pressed')).toBe('true')
    await page.getByLabel('Outputs of Launch webinar whose layout changes').selectOption('Recording speakers')
    await button('Grid').press('Enter')
    await button('Take').press('Enter')
    await outcome('Next layout', reported('Grid was taken in speakers'))
    await expect.poll(layoutsOf).toEqual(['pip', 'bestFit', 'pip'])
  })

  it('keeps the place of a report, so that nothing moves once it is over', async () => {
    const line = group('Next layout').locator('.control-line')
    const heights = await line.evaluate((element) => {
      const report = element as unknown as Line
      const height = () => report.getBoundingClientRect().height
      const [filled, text] = [height(), report.textContent]
      report.textContent = ''
      const empty = height()
      report.textContent = text
      return { filled, empty }
    })
    expect(heights.empty).toBe(heights.filled)
  })

  it('copies an invitation, with which a participant joins, and nothing moves', async () => {
    const below = page.getByLabel('Message to the participants of Launch webinar')
    await page.getByLabel('Name of the participant who is invited to Launch webinar').fill('Grace Hopper')
    await button('Create link').click()
    await outcome('Invite a participant', /^Copied\. The invitation expires/)
    const place = async () =>
      ((await below.boundingBox())?.y ?? 0) - ((await page.locator('#now .show').boundingBox())?.y ?? 0)
    const before = await place()
    const guest = await (await opened.browser.newContext()).newPage()
    await guest.goto(await copied())
    await guest.getByLabel('Your name').fill('Grace Hopper')
    await guest.getByRole('button', { name: 'Join', exact: true }).click()
    await group('Streams of Launch webinar').getByText('Grace Hopper', { exact: true }).waitFor()
    expect(await place()).toBe(before)
    await guest.context().close()
  })

  it('lists the streams, and mutes one and all', async () => {
    const list = group('Streams of Launch webinar')
    await list.getByText('Ada', { exact: true }).waitFor()
    await button('Mute Ada').click()
    await outcome('People and streams', /^Ada was muted at/)
    await list.getByText(/^camera · muted at/).waitFor()
    await button('Mute all').click()
    await outcome('People and streams', /^All streams were muted at/)
  })

  it('sends a message, by keyboard', async () => {
    await page.getByLabel('Message to the participants of Launch webinar').focus()
    await page.keyboard.type('We begin in a minute.')
    await page.keyboard.press('Enter')
    await outcome('Message to all participants', /^The message was sent at/)
  })

  it('starts another broadcast, which is among the outputs', async () => {
    await page.locator('#now summary', { hasText: 'Add a broadcast' }).press('Enter')
    await button('Start the broadcast').click()
    await outcome('Add a broadcast', /^The broadcast live-2 was started at/)
    await page.locator('#now .resources').getByText('live-2').waitFor()
  })

  it('copies the link to the page for viewers', async () => {
    await button('Copy link to the page of Launch webinar').click()
    const { watch } = await liveShow()
    await expect.poll(async () => new URL(await copied()).pathname).toBe(new URL(watch?.url ?? '').pathname)
  })

  it('has controls in which axe finds nothing', audit)

  it('stops the show, after a confirmation', async () => {
    await button('Stop the show Launch webinar').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the show' }).click()
    await expect.poll(async () => (await liveShow()).stopAskedAt).toBeDefined()
    const past = page.locator('#past .show').filter({ hasText: 'Launch webinar' })
    await past.getByText('Stopped', { exact: true }).waitFor()
    expect(await button('Stop the show Launch webinar').count()).toBe(0)
  })

  it('plays the recording once it is published', async () => {
    const recording = page.locator('article.recording video')
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

  it('uploads captions of a recording by keyboard, replaces and removes them', async () => {
    await expect.poll(() => page.locator('#past .resources').getByText('published', { exact: true }).count()).toBe(2)
    const card = page.locator('article.recording').first()
    const archiveId = (await card.getAttribute('id'))?.replace('recording-', '') ?? ''
    const captions = async () =>
      (await api.recordings.get(archiveId)).files.filter(({ role }) => role === 'captions').map(({ url }) => url)
    const add = async (text: string) => {
      await card
        .getByLabel('WebVTT file')
        .setInputFiles({ name: 'talk.vtt', mimeType: 'text/vtt', buffer: Buffer.from(text) })
      await card.getByLabel('Language').fill('pt-br')
      await page.keyboard.press('Enter')
    }
    await card.locator('summary', { hasText: 'Captions' }).press('Enter')
    await add('not captions')
    await card
      .locator('.control-line[data-kind="problem"]')
      .getByText(/WEBVTT/)
      .waitFor()
    await add('WEBVTT\n\n00:00.000 --> 00:02.000\nBoa noite.\n')
    await card.getByText('The captions of talk.vtt are on the watch page.').waitFor()
    await card.getByText('pt-BR', { exact: true }).waitFor()
    await add('WEBVTT\n\n00:00.000 --> 00:02.000\nBom dia.\n')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the captions' }).press('Enter')
    await expect.poll(async () => (await fetch((await captions())[0] ?? '')).text()).toContain('Bom dia.')
    await card.getByRole('button', { name: /^Remove the captions in pt-BR/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the captions' }).press('Enter')
    await card.getByText('The captions in pt-BR were removed.').waitFor()
    expect(await captions()).toEqual([])
  })

  it('deletes a recording, and restores it in its place', async () => {
    await expect.poll(() => page.locator('#past .resources').getByText('published', { exact: true }).count()).toBe(2)
    const card = page.locator('article.recording').first()
    await card.locator('summary', { hasText: 'Manage' }).click()
    await audit()
    await card.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the recording' }).click()
    await card.getByText(/^The recording is deleted\. It can be restored until/).waitFor()
    const { items } = await api.recordings.list().page()
    expect(items).toHaveLength(1)
    await card.getByRole('button', { name: 'Restore' }).click()
    await card.getByText('The recording is there again.').waitFor()
    expect((await api.recordings.list().page()).items).toHaveLength(2)
  })

  it('rebuilds a recording, after a confirmation', async () => {
    const card = page.locator('article.recording').first()
    await card.getByRole('button', { name: /^Rebuild/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Rebuild the recording' }).press('Enter')
    await card.getByText('Rebuild started.').waitFor()
    const archiveId = (await card.getAttribute('id'))?.replace('recording-', '') ?? ''
    const latest = async () => (await api.recordings.get(archiveId)).publications?.at(-1)
    await expect.poll(async () => (await latest())?.executionName).toContain('-rebuild-')
  })

  it('logs no error of the page', () => expect(opened.complaints).toEqual([]))
})

/** The members of a video that these tests use. Functions passed to the page run there. */
interface Line {
  textContent: string | null
  getBoundingClientRect(): { readonly height: number }
}

interface Video {
  readonly currentTime: number
  muted: boolean
  play(): Promise<void>
}
