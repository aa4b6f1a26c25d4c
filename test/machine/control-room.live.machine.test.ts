import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from '../support/browsers/accessibility.ts'
import {
  type ConsoleInChromium,
  openConsole,
  printPageOfFailure,
  startExample,
} from '../support/browsers/console-page.ts'
import { startConsole } from '../support/ready-program.ts'

/** Works in the console of `npm start` by keyboard alone. */
describe('the control room, in Chromium', () => {
  let opened: ConsoleInChromium
  let page: Page

  beforeAll(async () => {
    opened = await openConsole({ example: { duration: 1_200 } })
    page = opened.page
    await startExample(page)
  })
  afterAll(() => opened?.close())
  printPageOfFailure(() => opened?.page)

  const outputs = () => page.locator('#now .resources')
  const row = (text: string | RegExp) => outputs().getByRole('listitem').filter({ hasText: text })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

  it('pauses and resumes a recording, which continues in another part', async () => {
    await row('Broadcast live')
      .getByText(/since \d\d:\d\d:\d\d/)
      .waitFor()
    await button('Pause the recording program of Launch webinar').press('Enter')
    await page.getByText(/^The recording program was paused at/).waitFor()
    await row('Recording program')
      .getByText(/^since \d\d:\d\d:\d\d/)
      .waitFor()
    await row('Recording program').getByText('paused', { exact: true }).waitFor()
    await button('Resume the recording program of Launch webinar').press('Enter')
    await row('program (part 2)')
      .getByText(/^since \d\d:\d\d:\d\d · 2 parts/)
      .waitFor()
    await button('Pause the recording program of Launch webinar').waitFor()
  })

  it('extends, marks and dials by keys, and confirms what cannot be undone', async () => {
    await page.locator('h1').click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Set a marker').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page.getByText(/^The show ends at \d\d:\d\d:\d\d\.$/).waitFor()
    await page.keyboard.press('m')
    await page.keyboard.type('Questions?')
    await page.keyboard.press('Enter')
    await page.getByText(/^The marker was set at/).waitFor()
    await button('Set marker').focus()
    await page.keyboard.press('x')
    await page.getByRole('dialog', { name: 'Stop Launch webinar?' }).press('Escape')
    await page.keyboard.press('d')
    await page.keyboard.type('sip:stage@callee.example')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Dial' }).press('Enter')
    await page.getByText(/^call was dialed at/).waitFor()
    await row('Dial-in call').waitFor()
    await row('Broadcast live')
      .getByText(/ · [\d.]+\s[kM]bit\/s$/)
      .waitFor()
  })

  it('opens a show and a fold by their link, also after a reload', async () => {
    await page.getByText('Execution', { exact: true }).press('Enter')
    const link = new URL(page.url())
    expect(link.hash).toMatch(/^#show=[0-9a-z-]+&tab=execution$/)
    await page.reload()
    await page.getByText('Machine show is running.').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Execution')
    await page.evaluate(`location.hash = '#show=none'`)
    await page.getByText('There is no show none').waitFor()
  })

  it('is served for a deployment by `console`, with the token of the caller, which the page never has', async () => {
    const { apiUrl, token } = opened.local.ready
    const served = await startConsole(apiUrl, token)
    const other = await (await opened.browser.newContext()).newPage()
    const asked: string[] = []
    other.on('request', (request) => asked.push(request.url(), JSON.stringify(request.headers())))
    await other.goto(served.ready.consoleUrl)
    await other.getByText(`A deployment: ${apiUrl}`).waitFor()
    await other.locator('#now').getByText('Launch webinar').waitFor()
    expect(await other.getByRole('button', { name: /example/i }).isVisible()).toBe(false)
    await other.keyboard.press('e')
    await other.getByText(/^The show ends at \d\d:\d\d:\d\d\.$/).waitFor()
    await other.context().close()
    const { code, stdout, stderr } = await served.stop()
    expect(code).toBe(0)
    expect([...asked, stdout, stderr].filter((text) => text.includes(token))).toEqual([])
  })

  it('lists ten thousand recordings, with a few rows in the document, and finds one by its name', async () => {
    const asked = new Set<string | null>()
    await page.route('**/api/recordings?*', async (route) => {
      const query = new URL(route.request().url()).searchParams
      asked.add(query.get('cursor'))
      await route.fulfill({ json: libraryPage(query) })
    })
    await page.route('**/api/recordings/r-*', (route) =>
      route.fulfill({ json: recordingOf(Number(route.request().url().split('-').at(-1))) }),
    )
    const rows = page.getByRole('list', { name: 'Recordings, newest first' })
    const current = () =>
      page.evaluate<string | undefined>(`document.activeElement.closest('li')?.getAttribute('aria-posinset')`)
    await rows.getByRole('button', { name: /^Show 10000: program/ }).press('PageDown')
    await expect.poll(current).not.toBe('1')
    while ((await current()) !== '10000') await page.keyboard.press('End') // each press reads what follows
    expect(asked.size).toBe(101)
    expect(await rows.getByRole('listitem').count()).toBeLessThan(40)
    await page.getByText('10,000 recordings', { exact: true }).waitFor()
    await rows.getByRole('button', { name: /^Show 1: program/ }).press('Enter')
    await page.getByRole('region', { name: 'Open recording' }).getByText('Show 1', { exact: true }).waitFor()
    await page.keyboard.press('Home')
    expect(await current()).toBe('1')
    await page.keyboard.press('/')
    await page.keyboard.type('Show 4321')
    await page.getByText('1 recording found').waitFor()
    await rows.getByRole('button', { name: /^Show 4321: program/ }).waitFor()
  })

  it('has no violation in light on a phone, and in dark on a wide window', async () => {
    for (const [colorScheme, width] of [
      ['light', 390],
      ['dark', 1440],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page, `${colorScheme}, ${width} pixels`)
    }
    expect(opened.complaints).toEqual([])
  })
})

const RECORDINGS = 10_000

const recordingOf = (number: number) => ({
  ...{
    version: 1,
    archiveId: `r-${number}`,
    status: 'complete',
    access: 'signed',
    video: null,
    audio: null,
    files: [],
  },
  ...{ duration: 60, createdAt: new Date(Date.UTC(2020, 0, 1, number)).toISOString() },
  show: { showId: `show-${number}`, name: 'program', part: 1 },
  page: { title: `Show ${number}` },
  source: { key: `1/r-${number}/archive.mp4`, size: 1, sha256: null, url: '' },
  watch: { url: 'http://127.0.0.1:9/watch' },
})

/** Answers a page of the recordings. Like the API, it may answer none and a cursor to a search. */
function libraryPage(query: URLSearchParams) {
  const first = Number(query.get('cursor') ?? RECORDINGS)
  const last = Math.max(0, first - Number(query.get('limit')))
  const items = Array.from({ length: first - last }, (_, index) => recordingOf(first - index))
  const found = items.filter(({ page }) => page.title.endsWith(query.get('name') ?? ''))
  return { items: found, ...(last > 0 && { cursor: String(last) }) }
}
