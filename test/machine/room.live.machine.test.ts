import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from '../support/browsers/accessibility.ts'
import {
  type ConsoleInChromium,
  openConsole,
  printPageOfFailure,
  startExample,
} from '../support/browsers/console-page.ts'
import { expectOperable } from '../support/browsers/keyboard.ts'

const WIDTHS = [390, 1024, 1920]

/** Follows a show in the console of `npm start`: its course, its execution, and the callbacks to an app. */
describe('the room of a show, in Chromium', () => {
  let opened: ConsoleInChromium
  let app: Server
  /** Events that the app has got. */
  const got: { id: string; event: string }[] = []
  let page: Page

  beforeAll(async () => {
    app = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      got.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(got.length === 1 ? 422 : 204).end() // the first is refused
    }).listen(0, '127.0.0.1')
    await once(app, 'listening')
    const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/hooks`
    opened = await openConsole({ example: { duration: 1_200, callback: { url } } })
    page = opened.page
    await startExample(page)
  })
  afterAll(async () => {
    await opened?.close()
    app?.close()
  })
  printPageOfFailure(() => page)

  const row = (name: RegExp) => page.getByRole('button', { name })
  const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")')

  it('draws a row for each recording, broadcast and participant, between which arrow keys move', async () => {
    const recording = row(/^Recording program: since \d\d:\d\d:\d\d, planned until/)
    await recording.waitFor()
    await row(/^Broadcast live: since/).waitFor()
    await row(/^Participant Ada: seen since/).waitFor()
    expect(
      await recording
        .locator('.bar')
        .evaluateAll((bars) => bars.map((bar) => (bar as unknown as { className: string }).className)),
    ).toEqual(['bar running', 'bar planned'])
    await recording.focus()
    await page.keyboard.press('End')
    expect(await focused()).toMatch(/^(Participant|Markers)/)
    await page.keyboard.press('Home')
    expect(await focused()).toMatch(/^Recording/)
    await page.locator('.bar-text', { hasText: 'Recording' }).first().waitFor()
  })

  it('draws the execution as a waterfall, with the input of a state and a child', async () => {
    await page.getByText('Execution', { exact: true }).press('Enter')
    const opened = row(/^Open session \(Task\): succeeded/)
    await opened.press('Enter')
    await page.getByRole('group', { name: 'Output' }).getByText('"sessionId"').waitFor()
    await row(/child of the machine audience$/).press('Enter')
    await page.getByRole('button', { name: 'Open the execution of audience' }).press('Enter')
    await page.getByText('Machine audience has succeeded.').waitFor()
    await page.getByRole('button', { name: 'Back to the show' }).press('Enter')
    await page.getByText('Machine show is running.').waitFor()
  })

  it('redrives an execution that was interrupted, after a confirmation', async () => {
    await page.route('**/execution', async (route) => {
      const { 'if-none-match': _, ...headers } = route.request().headers()
      const execution = await (await route.fetch({ headers })).json()
      await route.fulfill({ json: { ...execution, status: 'aborted', redrivable: true } })
    })
    const redriven: string[] = []
    await page.route('**/execution/redrive', async (route) => {
      redriven.push(route.request().method())
      await page.unroute('**/execution')
      await route.fulfill({ status: 202, json: { showId: 'a-show', executionName: 'a-show' } })
    })
    await page.getByRole('button', { name: 'Redrive', exact: true }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive the execution' }).press('Enter')
    await page.getByText('The execution a-show continues.').waitFor()
    await page.getByText('Machine show is running.').waitFor()
    expect(redriven).toEqual(['POST'])
    await page.getByRole('button', { name: 'Redrive', exact: true }).waitFor({ state: 'hidden' })
  })

  it('begins with a callback that the app refuses, with advice and the runbook', async () => {
    const failure = page.getByRole('log', { name: /^Failures of / }).getByRole('listitem')
    await failure.getByText(/^The app refuses /).waitFor()
    await failure.getByText('It answered 422.').waitFor()
    const link = failure.getByRole('link', { name: 'Runbook: Callbacks not delivered' })
    expect(await link.getAttribute('href')).toMatch(/runbook\.md#callbacks-not-delivered$/)
  })

  it('breaks the platform, whose fault is listed until it has struck, and stops a broadcast all the same', async () => {
    await page.getByText('Break it', { exact: true }).press('Enter')
    const choices = page.locator('#break select')
    await choices.nth(0).selectOption('stopBroadcast')
    await choices.nth(1).selectOption({ label: 'Acts, and the answer is lost' })
    await page.getByRole('button', { name: 'Order the fault' }).press('Enter')
    const ordered = page.getByRole('list', { name: 'Ordered faults' }).getByRole('listitem')
    await ordered.getByText('Stop a broadcast: Acts, and the answer is lost, once more').waitFor()
    await page.getByRole('button', { name: 'Stop the broadcast live of Launch webinar' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the broadcast' }).press('Enter')
    const broadcast = page.locator('#now .resources').getByRole('listitem').filter({ hasText: 'Broadcast live' })
    await broadcast.getByText('stopped', { exact: true }).waitFor()
    await ordered.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cut the connection' }).press('Enter')
    await page.getByText('The connection was cut.').waitFor()
  })

  it('lists each callback, and replays one that was refused', async () => {
    await page.getByText('Deliveries', { exact: true }).press('Enter')
    const refused = page.locator('.delivery', { hasText: 'answer 422' })
    await refused.getByText(/answer 422 after \d+\.\d\d s, signature verified$/).waitFor()
    const [first] = got
    await refused.getByRole('button', { name: /^Replay / }).press('Enter')
    await page
      .locator('.delivery', { hasText: 'answer 422' })
      .getByText(/answer 204/)
      .waitFor()
    expect(got.filter(({ id }) => id === first?.id)).toHaveLength(2)
  })

  it('composes a show by its schema, with problems beside the fields and the forecast of a dry run', async () => {
    await page.getByText('Compose a show', { exact: true }).press('Enter')
    const composer = page.locator('#compose')
    await composer.getByText('The show is valid.').waitFor()
    await composer.getByText(/^Recording program: up to 20:00, one part$/).waitFor()
    const name = composer.getByRole('textbox', { name: /^name/ }).first()
    await name.fill('')
    await composer.getByText(/^name must/).waitFor()
    expect(await composer.getByRole('button', { name: 'Start the show' }).isDisabled()).toBe(true)
    await name.fill('Composed')
    await composer.getByLabel('Field to add to Show').selectOption('start')
    await composer.getByRole('textbox', { name: /^at/ }).fill('2199-01-01T09:00')
    const json = composer.getByLabel('The show document as JSON')
    await expect.poll(async () => JSON.parse(await json.inputValue()).start).toEqual({ at: '2199-01-01T09:00' })
    await json.fill((await json.inputValue()).replace('Composed', 'Composed as JSON'))
    expect(await name.inputValue()).toBe('Composed as JSON')
    await composer.getByText(/^It starts next: 1 Jan 2199/).waitFor()
    await composer.getByRole('button', { name: 'Schedule the show' }).press('Enter')
    await composer.getByText('The show is scheduled.').waitFor()
    await page.locator('#next').getByText('Composed as JSON').waitFor()
    await composer.getByLabel('Copy an earlier show').focus()
    await composer.getByLabel('Copy an earlier show').selectOption({ index: 1 })
    await composer.getByRole('button', { name: 'Start the show' }).waitFor()
  })

  it('has every control in the order of tabs, with a visible focus', () => expectOperable(page, 'every fold is open'))

  it('has no violation in dark and light, on a phone and on wide windows', async () => {
    for (const colorScheme of ['dark', 'light'] as const)
      for (const width of WIDTHS) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        await expectAccessible(page, `${colorScheme}, ${width} pixels`)
      }
    expect(opened.complaints).toEqual([])
  })
})
