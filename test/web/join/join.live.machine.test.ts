import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../../bin/local/root.ts'
import { admit, createShowApi, type ShowApi } from '../../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../../lib/client/documents.ts'
import { sizeIn } from '../../../local/sandbox/media/live/frame-assembler.ts'
import { joinSession, type Participant } from '../../../local/sandbox/participants/client.ts'
import type { SessionEvent } from '../../../local/sandbox/participants/messages.ts'
import { receive } from '../../local/sandbox/webrtc/receive.ts'
import { expectAccessible } from '../../support/browsers/accessibility.ts'
import { launchChromium } from '../../support/browsers/chromium.ts'
import { collectComplaints } from '../../support/browsers/complaints.ts'
import { type ConsolePage, visitConsole } from '../../support/console.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../../support/ready-program.ts'

/** A generated camera and microphone, which pages may use without a prompt. */
const FAKE_DEVICES = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }

/** With SHOW_DOCS=1 the test writes the screenshot of the documents. */
const isForDocs = process.env.SHOW_DOCS !== undefined

const SHOW = {
  version: 1,
  name: 'Launch webinar',
  duration: 1_200,
  recordings: [{ name: 'program', resolution: '640x480' }],
} satisfies ShowDocument

/** One participant uses the join page of `npm start`, from the lobby to the end, with two other participants in the session. */
describe('the join page, in Chromium', () => {
  let directory: string
  let local: ReadyProgram<LocalAddresses>
  let visit: ConsolePage
  let api: ShowApi
  let browser: Browser
  let page: Page
  let showId: string
  let ada: Participant
  let linus: Participant
  const events: SessionEvent[] = []
  let complaints: readonly string[]

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'showrunner-machine-'))
    local = await startLocal(join(directory, 'local'))
    const { apiUrl, token, consoleUrl, joinUrl } = local.ready
    api = createShowApi({ apiUrl, token })
    visit = await visitConsole(consoleUrl)
    browser = await launchChromium(FAKE_DEVICES)
    page = await (await browser.newContext({ viewport: DESKTOP })).newPage()
    complaints = collectComplaints(page)
    await page.addInitScript(keepSocket)
    await page.addInitScript(keepTexts)
    await page.goto(joinUrl)
  })
  afterAll(async () => {
    await browser?.close()
    await ada?.leave()
    await linus?.leave()
    await local?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  /** Runs axe on a desktop and on a phone. Nothing may be wider than the window. */
  async function audit(): Promise<void> {
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport)
      await expectAccessible(page, JSON.stringify(viewport))
    }
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const tile = (name: string) => page.locator('#people > .tile').filter({ hasText: name })
  /** Resolves once the picture of a tile moves. */
  const moves = async (name: string) => {
    const time = () =>
      tile(name)
        .locator('video')
        .evaluate((video) => (video as unknown as Video).currentTime)
    await tile(name).and(page.locator('[data-picture="true"]')).waitFor()
    const before = await time()
    await expect.poll(time).toBeGreaterThan(before + 0.5)
    const size = () =>
      tile(name)
        .locator('video')
        .evaluate((video) => (video as unknown as Video).videoWidth)
    expect(await size()).toBeGreaterThan(100)
  }
  /** Resolves once the page has shown a text for a while, which may be over. */
  const hasShown = (text: string) =>
    expect.poll(() => page.evaluate<string[]>('shownTexts')).toContainEqual(expect.stringContaining(text))
  /** Resolves once Ada has received an event that matches. */
  const adaSees = (matches: (event: SessionEvent) => boolean) => expect.poll(() => events.some(matches)).toBe(true)
  /** Matches a change of the stream of Grace. */
  const graceIs = (state: { readonly hasAudio?: boolean; readonly hasVideo?: boolean }) => (event: SessionEvent) =>
    (event.type === 'streamChanged' || event.type === 'streamCreated') &&
    event.stream.name === 'Grace' &&
    Object.entries(state).every(([field, value]) => event.stream[field as keyof typeof state] === value)
  /** Resolves with the first event of a type about a screen. */
  const screenOf = async (type: 'streamCreated' | 'streamDestroyed') => {
    const find = () => events.find((event) => event.type === type && event.stream.videoType === 'screen')
    await expect.poll(find).toBeDefined()
    return find() as SessionEvent & { type: typeof type }
  }
  /** Controls the show as the console of a moderator does. */
  const control = async (name: 'mute' | 'disconnect', body: object) => {
    const { apiUrl, token } = local.ready
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${apiUrl}/shows/${showId}/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
  }
  const signals = (type: string, data: string) => (event: SessionEvent) =>
    event.type === 'signal' && event.signal.type === type && event.signal.data === data

  it('has a lobby with self view, level and devices that axe finds nothing in', async () => {
    await page.locator('#self-view').evaluate(async (video) => void (await (video as unknown as Video).play()))
    await page.getByText('Your microphone works.').waitFor()
    for (const kind of ['camera', 'microphone'])
      await expect.poll(() => page.locator(`#${kind}-choice option`).count()).toBeGreaterThan(0)
    await page.getByText('No show is running yet.').waitFor()
    await audit()
  })

  it('waits for a show in the green room, which the console lists', async () => {
    await button('Join').click()
    await page.getByText('Enter the name that the others see.').waitFor()
    await page.getByLabel('Your name').fill('Grace')
    await page.keyboard.press('Enter')
    await page.getByText('You are in the green room').waitFor()
    const greenRoom = async () => (await visit('/green-room')).json()
    const { joinUrl } = local.ready
    await expect.poll(greenRoom).toEqual({ joinUrl, participants: [{ name: 'Grace', hasJoined: false }] })
  })

  it('joins automatically, and shows the participant and the others', async () => {
    showId = (await api.shows.start(SHOW)).showId
    await moves('Grace (you)')
    const { sessionId = '' } = await api.shows.get(showId)
    const token = (await admit(api, showId, 'Ada')) ?? ''
    ada = await joinSession({ url: local.ready.sandboxUrl, sessionId, token, onEvent: (event) => events.push(event) })
    const streams = () => [...ada.streams, ...events.flatMap((event) => ('stream' in event ? event.stream : []))]
    await expect
      .poll(streams)
      .toContainEqual(expect.objectContaining({ name: 'Grace', hasAudio: true, hasVideo: true }))
    await ada.publish({ name: 'Ada' })
    linus = await joinSession({
      url: local.ready.sandboxUrl,
      sessionId,
      token: (await admit(api, showId, 'Linus')) ?? '',
    })
    await linus.publish({ name: 'Linus' })
    await page.getByText('3 people').waitFor()
    await moves('Ada')
    await moves('Linus')
    await page.locator('#badge').getByText('Live').waitFor()
  })

  it('mutes and turns the camera off and on', async () => {
    await button('Mute').click()
    await adaSees(graceIs({ hasAudio: false }))
    await button('Camera off').click()
    await adaSees(graceIs({ hasVideo: false }))
    await tile('camera off').waitFor()
    events.length = 0
    await button('Camera on').click()
    await button('Unmute').click()
    await adaSees(graceIs({ hasAudio: true, hasVideo: true }))
    await moves('Grace (you)')
  })

  it('chats and raises a hand, by keyboard', async () => {
    await ada.signal({ type: 'chat', data: 'Good evening' })
    await button('Chat, 1 unread').press('Enter')
    await page.locator('#messages').getByText('Good evening').waitFor()
    await page.keyboard.type('Hello <b>all</b>')
    await page.keyboard.press('Enter')
    await adaSees(signals('chat', 'Hello <b>all</b>'))
    await page.locator('#messages').getByText('Hello <b>all</b>').waitFor()
    await button('Raise hand').press('Space')
    await adaSees(signals('hand', 'up'))
    await tile('hand raised').waitFor()
    await audit()
    if (isForDocs) await page.screenshot({ path: join(root, 'docs/images/join.png') })
    await page.getByLabel('Message to everyone').press('Escape')
    await page.locator('#chat').waitFor({ state: 'hidden' })
    await audit()
  })

  it('joins again after its connection was cut, with the raised hand', async () => {
    events.length = 0
    await page.evaluate(() => (globalThis as unknown as WithSocket).participantsSocket?.close())
    await hasShown('The connection is lost.')
    await adaSees(graceIs({}))
    await adaSees(signals('hand', 'up'))
    await moves('Grace (you)')
    await moves('Ada')
  })

  it('reports that a moderator has muted the participant, who can unmute', async () => {
    await control('mute', { active: true })
    await hasShown('A moderator has muted you.')
    events.length = 0
    await button('Unmute').click()
    await adaSees(graceIs({ hasAudio: true }))
  })

  it('leaves, and can join again', async () => {
    await button('Leave').click()
    await page.getByRole('heading', { name: 'You have left' }).waitFor()
    await adaSees((event) => event.type === 'connectionDestroyed' && event.connection.data === 'Grace')
    await audit()
    await button('Join again').click()
    await button('Join').click()
    await moves('Grace (you)')
  })

  it('shares a screen, which the others receive as a second stream', async () => {
    events.length = 0
    await button('Share screen').click()
    const shared = await screenOf('streamCreated')
    expect(shared.stream).toMatchObject({ name: 'Grace', videoType: 'screen', hasVideo: true })
    const { id } = shared.stream
    await page.locator('#screens > .tile[data-picture="true"]').waitFor()
    const { sessionId = '' } = await api.shows.get(showId)
    const door = `${local.ready.sandboxUrl}/sandbox/sessions/${sessionId}/whep?stream=${id}`
    const { video, requestKeyframe, leave } = await receive(door, (await admit(api, showId, 'Viewer')) ?? '')
    const size = () => {
      requestKeyframe() // again, as browsers do: the sandbox passes on one request each half second
      return video.packets.flatMap(({ payload }) => sizeIn('VP8', payload) ?? []).at(-1)
    }
    await expect.poll(size).toMatchObject({ width: expect.any(Number), height: expect.any(Number) })
    expect(size()?.width).toBeGreaterThan(100)
    await leave()
    await button('Share screen').click()
    await screenOf('streamDestroyed')
    expect(events.flatMap((event) => (event.type === 'streamDestroyed' ? event.stream.id : []))).toEqual([id])
  })

  it('is removed by a moderator, with its camera and its screen, and can join again', async () => {
    events.length = 0
    await button('Share screen').click()
    const { connectionId } = (await screenOf('streamCreated')).stream
    await control('disconnect', { connectionId })
    await page.getByRole('heading', { name: 'A moderator has removed you' }).waitFor()
    await adaSees((event) => event.type === 'connectionDestroyed' && event.connection.id === connectionId)
    const destroyed = events.filter((event) => event.type === 'streamDestroyed')
    expect(destroyed.map(({ stream, reason }) => [stream.videoType, reason]).toSorted()).toEqual([
      ['camera', 'forceDisconnected'],
      ['screen', 'forceDisconnected'],
    ])
    await audit()
    await button('Join again').click()
    await button('Join').click()
    await moves('Grace (you)')
  })

  it('ends with the show', async () => {
    await api.controls.stop(showId)
    await page.getByRole('heading', { name: 'The show is over' }).waitFor()
  })

  it('logs no error of the page', () => expect(complaints).toEqual([]))
})

/** The members of a video that these tests use. Functions passed to the page run there. */
interface Video {
  readonly currentTime: number
  readonly videoWidth: number
  play(): Promise<void>
}

interface WithSocket {
  WebSocket: typeof WebSocket
  participantsSocket?: WebSocket
}

/** Runs in the page: keeps its connection to the session, so that a test can cut it. */
function keepSocket(): void {
  const page = globalThis as unknown as WithSocket
  page.WebSocket = class extends page.WebSocket {
    constructor(...options: ConstructorParameters<typeof WebSocket>) {
      super(...options)
      if (this.url.endsWith('/participants')) page.participantsSocket = this
    }
  }
}

/** Runs in the page: keeps the texts of its banner and of its announcements in `shownTexts`. */
function keepTexts(): void {
  const page = globalThis as unknown as Document & { shownTexts: string[] }
  page.shownTexts = []
  const note = () => {
    for (const { textContent } of page.document.querySelectorAll('#banner, #announcer'))
      if (textContent && !page.shownTexts.includes(textContent)) page.shownTexts.push(textContent)
  }
  new page.MutationObserver(note).observe(page.document, { subtree: true, childList: true, characterData: true })
}

/** The members of a page that {@link keepTexts} uses. */
interface Document {
  readonly document: { querySelectorAll(selector: string): Iterable<{ readonly textContent: string | null }> }
  readonly MutationObserver: new (note: () => void) => { observe(target: object, options: object): void }
}
