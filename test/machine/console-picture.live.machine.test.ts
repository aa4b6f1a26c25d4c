import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../bin/local/root.ts'
import { createShowApi, type ShowApi } from '../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../lib/client/documents.ts'
import { joinSession, type Participant } from '../../local/sandbox/participants/client.ts'
import { type ConsoleInChromium, openConsole } from '../support/browsers/console-page.ts'

const SHOW = {
  version: 1.1,
  name: 'Launch',
  duration: 1_200,
  recordings: [{ name: 'program' }],
} satisfies ShowDocument

/** Has the program, the next layout and the streams. */
const VIEWPORT = { width: 1440, height: 1250 }

/** Writes the screenshot of the documents: a show with its next layout, in dark. Runs with SHOW_DOCS=1 only. */
describe.runIf(process.env.SHOW_DOCS)('the screenshot of the control room', () => {
  let opened: ConsoleInChromium
  let api: ShowApi
  const participants: Participant[] = []

  beforeAll(async () => {
    opened = await openConsole({ context: { viewport: VIEWPORT, colorScheme: 'dark' } })
    api = createShowApi(opened.local.ready)
  })
  afterAll(async () => {
    for (const participant of participants) await participant.leave()
    await opened?.close()
  })

  it('is taken while two streams are watched, and a layout is prepared', async () => {
    const { page, local } = opened
    const { showId } = await api.shows.start(SHOW)
    await expect.poll(async () => (await api.shows.get(showId)).sessionId).toBeDefined()
    for (const name of ['Ada', 'Grace']) {
      const { sessionId, token } = await api.tokens.create(showId, { role: 'publisher', data: name })
      const participant = await joinSession({ url: local.ready.sandboxUrl, sessionId, token })
      participants.push(participant)
      await participant.publish({ name })
    }
    const tiles = page.getByRole('group', { name: 'Streams of Launch' }).getByRole('listitem')
    await tiles.filter({ hasText: 'Grace' }).getByText('In the program').waitFor()
    await page.getByRole('button', { name: 'Watch the streams', exact: true }).press('Enter')
    for (const name of ['Ada', 'Grace'])
      await tiles
        .filter({ hasText: name })
        .getByText(/\sfps · /)
        .waitFor()
    await page.getByRole('button', { name: 'Picture in picture', exact: true }).press('Enter')
    const places = page.getByRole('group', { name: 'Places in the next layout of Launch' })
    await places.getByRole('button', { name: 'Grace' }).press('Enter')
    await places.getByText(/^Grace is picked up/).waitFor()
    await places.getByRole('button', { name: 'Ada' }).press('Enter')
    await places.getByRole('button', { name: 'Grace (full)' }).waitFor()
    await page.getByText(/^\d+\.\d\ss behind · \d+\sfps · /).waitFor()
    await page.evaluate('scrollTo(0, 0)')
    await page.screenshot({ path: join(root, 'docs/images/console.png') })
    expect(opened.complaints).toEqual([])
  })
})
