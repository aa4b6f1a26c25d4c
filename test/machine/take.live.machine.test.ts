import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hlsScript } from '../../bin/local/root.ts'
import { createShowApi, type ShowApi } from '../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../lib/client/documents.ts'
import { buildPage } from '../../lib/constructs/deploy/build-page.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { SAMPLES_PER_SECOND } from '../../local/sandbox/media/timebase.ts'
import { joinSession, type Participant } from '../../local/sandbox/participants/client.ts'
import { expectAccessible } from '../support/browsers/accessibility.ts'
import { type ConsoleInChromium, openConsole } from '../support/browsers/console-page.ts'
import { expectOperable } from '../support/browsers/keyboard.ts'
import { type LatenessMeter, measureLateness } from '../support/lateness.ts'
import { decodeAudio, decodePictures } from '../support/media/decode.ts'

const DESKTOP = { width: 1440, height: 900 }
/** Seconds of a frame. */
const FRAME = 1 / 30
/** A picture of this size is enough to see a layout. */
const SIZE = { width: 32, height: 18 }
/**
 * Places of a picture of 32 x 18, by whose color each layout is known: the generated picture covers both alone, none beside another,
 * the corner among three, and the inset as the small picture. A busy browser sends no picture at times.
 */
const PLACES = { corner: [1, 1], inset: [23, 2] } as const
/** The generated picture is blue: by this much more than green, and by this much of the blue difference. */
const BLUE = { rgb: 40, difference: 150 }

/** Reads which places of Program have the generated picture. */
const READ_PROGRAM = `(() => {
  const canvas = new OffscreenCanvas(32, 18)
  const context = canvas.getContext('2d')
  context.drawImage(document.querySelector('#now video[aria-label="Live broadcast"]'), 0, 0, 32, 18)
  return ${JSON.stringify([PLACES.corner, PLACES.inset])}.map(([x, y]) => {
    const [, green, blue] = context.getImageData(x, y, 1, 1).data
    return blue - green > ${BLUE.rgb}
  })
})()`

/** Adds up the shifts of the page from now on that no input has caused. */
const OBSERVE_SHIFTS = `new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted = (globalThis.shifted ?? 0) + value
}).observe({ type: 'layout-shift' })`

/** Produces a show with two browsers and a generated picture in the console of `npm start`, and finds each change in its recording. */
describe('program, next layout and streams, in Chromium', () => {
  let opened: ConsoleInChromium
  let api: ShowApi
  let page: Page
  let showId: string
  let ffmpeg: string
  let ada: Participant | undefined
  let lateness: LatenessMeter
  const parts = new AsyncDisposableStack()

  beforeAll(async () => {
    lateness = measureLateness()
    parts.defer(lateness.stop)
    ffmpeg = await findFfmpeg()
    opened = parts.adopt(await openConsole({ hasCamera: true }), (one) => one.close())
    parts.defer(async () => ada?.leave())
    api = createShowApi(opened.local.ready)
    page = opened.page
  })
  afterAll(() => parts.disposeAsync())

  /** Publishes a generated picture with a tone. */
  async function publishPattern(name: string): Promise<Participant> {
    const { sessionId, token } = await api.tokens.create(showId, { role: 'publisher', data: name })
    const participant = await joinSession({ url: opened.local.ready.sandboxUrl, sessionId, token })
    await participant.publish({ name })
    return participant
  }
  /** Joins by the join page, in another window of Chromium. */
  async function joinByPage(name: string): Promise<void> {
    const window = await (await opened.browser.newContext({ viewport: { width: 360, height: 320 } })).newPage()
    await window.goto(opened.local.ready.joinUrl)
    await window.getByLabel('Your name').fill(name)
    await window.getByRole('button', { name: 'Join', exact: true }).click()
  }
  const group = (name: string) => page.getByRole('group', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const line = (name: string) => group(name).locator('.control-line').textContent()
  const tile = (name: string) => group('Streams of Launch').getByRole('listitem').filter({ hasText: name })
  /** Resolves once Program has the generated picture in these places. It reads rarely, since reading takes time of the page. */
  const expectPlaces = (corner: boolean, inset: boolean) =>
    expect.poll(() => page.evaluate<boolean[]>(READ_PROGRAM), { interval: 500 }).toEqual([corner, inset])
  const createdAt = async () => Date.parse((await api.shows.get(showId)).recordings[0]?.createdAt ?? '')
  /** The moments of changes in seconds of the recording: each happened between its key and the time that the page shows. */
  const changes = {
    /** With the seconds for which the machine was late meanwhile. */
    taken: { from: 0, to: 0, late: 0 },
    muted: { from: 0, to: 0 },
  }

  it('plays the picture of a recording while it is made, and nothing moves when a stream joins', async () => {
    const show = {
      version: 1.1,
      name: 'Launch',
      duration: 1_200,
      recordings: [{ name: 'program', resolution: '640x480' }], // two cores draw, encode and decode it beside three windows
    } satisfies ShowDocument
    showId = (await api.shows.start(show)).showId
    await expect.poll(async () => (await api.shows.get(showId)).sessionId).toBeDefined()
    ada = await publishPattern('Ada')
    await expectPlaces(true, true) // one picture
    await page.getByText(/^\d+\.\d\ss behind · \d+\sfps · [\d.]+\s[kM]bit\/s$/).waitFor()
    await page.evaluate(OBSERVE_SHIFTS)
    await joinByPage('Grace')
    await tile('Grace').getByText('In the program').waitFor()
    await expectPlaces(false, false) // two side by side
    expect(await page.evaluate<number>('globalThis.shifted ?? 0')).toBeLessThan(0.02)
  })

  it('receives the streams: picture, level, frame rate and bitrate', async () => {
    await joinByPage('Linus')
    await tile('Linus').getByText('In the program').waitFor()
    await page.keyboard.press('w')
    await tile('Ada')
      .getByText(/^\d+\sfps · [\d.]+\s[kM]bit\/s$/)
      .waitFor()
    const level = page.getByLabel('Level of Ada')
    await expect
      .poll(() => level.evaluate((meter) => (meter as unknown as { value: number }).value))
      .toBeGreaterThan(0.1)
    await button('Disconnect Ada').waitFor()
  })

  it('has no violation on a phone, a tablet and a wide window', async () => {
    await button('Stylesheet').press('Enter')
    await page.getByText('Prepared. Take it, or discard it.').waitFor()
    for (const [colorScheme, width] of [
      ['dark', 390],
      ['light', 1024],
      ['dark', 1920],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page, `${colorScheme}, ${width} pixels`)
    }
    await page.setViewportSize(DESKTOP)
    await expectOperable(page, 'streams are watched, and a stylesheet is prepared')
  })

  it('checks a stylesheet as it is written', async () => {
    const stylesheet = page.getByLabel('Stylesheet of the next layout of Launch')
    await stylesheet.fill('stream { widht: 50% }')
    await page.getByText(/^Line 1 of the stylesheet cannot be drawn: the property "widht" is not supported/).waitFor()
    await stylesheet.fill('stream:first-child { width: 100%; height: 100% }')
    await page.getByText('Not visible: Grace, Linus.').waitFor()
    await button('Discard').press('Enter')
    await page.getByText('The layout on air.').waitFor()
  })

  it('takes the next layout by keyboard, with streams in other places', async () => {
    await button('Picture in picture').press('Enter')
    const places = group('Places in the next layout of Launch')
    await places.getByRole('button', { name: 'Grace' }).press('Enter')
    await places.getByText(/^Grace is picked up/).waitFor()
    await places.getByRole('button', { name: 'Ada' }).press('Enter')
    await places.getByRole('button', { name: 'Grace (full)' }).waitFor()
    await button('Stop watching').press('Enter') // three windows decode much for two cores
    await expectPlaces(true, false) // two above one
    const started = await createdAt()
    const pressedAt = Date.now()
    await page.keyboard.press('t')
    const pattern = /^Picture in picture was taken in program at .+ In the recording: program at (\d+):(\d\d\.\d\d)\.$/
    await expect.poll(() => line('Next layout')).toMatch(pattern)
    const [, minutes, seconds] = pattern.exec((await line('Next layout')) ?? '') ?? []
    const to = Number(minutes) * 60 + Number(seconds)
    const late = lateness.between(pressedAt, started + to * 1000) / 1000
    changes.taken = { from: (pressedAt - started) / 1000, to, late }
    await expectPlaces(false, true)
    await page.getByText('The layout on air.').waitFor()
  })

  it('mutes by a click', async () => {
    await button('Watch the streams').press('Enter')
    await tile('Linus')
      .getByText(/\s[kM]bit\/s$/)
      .waitFor()
    const started = await createdAt()
    changes.muted.from = (Date.now() - started) / 1000
    await button('Mute all').click()
    await expect.poll(() => line('People and streams')).toMatch(/^All streams were muted at/)
    changes.muted.to = (Date.now() - started) / 1000
    for (const name of ['Ada', 'Grace', 'Linus'])
      await tile(name)
        .getByText(/ muted$/)
        .waitFor()
    await expect.poll(async () => Date.now() - started > (changes.muted.to + 2) * 1000).toBe(true)
    expect(opened.complaints).toEqual([])
  })

  it('finds the layout in the recording within a frame of the time that was shown, and silence', async () => {
    await api.controls.stop(showId)
    await expect.poll(async () => (await api.recordings.list().page()).items.length).toBe(1)
    const [recording] = (await api.recordings.list().page()).items
    const file = join(opened.directory, 'program.mp4')
    await writeFile(file, Buffer.from(await (await fetch(recording?.source.url ?? '')).arrayBuffer()))
    const pictures = (await decodePictures(ffmpeg, file, SIZE)).map(({ planes: [, difference] }) => {
      const [corner, inset] = [PLACES.corner, PLACES.inset].map(
        ([x, y]) => (difference.data[(y >> 1) * (SIZE.width / 2) + (x >> 1)] ?? 0) > BLUE.difference,
      )
      return corner && !inset ? 'grid' : inset && !corner ? 'picture in picture' : 'other'
    })
    const { from, to, late } = changes.taken
    const change = pictures.indexOf('picture in picture')
    expect(pictures[Math.floor(from / FRAME)]).toBe('grid')
    expect(change * FRAME).toBeGreaterThanOrEqual(from - FRAME)
    expect(change * FRAME).toBeLessThanOrEqual(to + FRAME)
    expect(to - change * FRAME - late).toBeLessThanOrEqual(FRAME) // a busy machine reports a change later than it was made
    expect(pictures.lastIndexOf('grid')).toBeLessThan(change)
    const samples = await decodeAudio(ffmpeg, file)
    const loudest = (from: number, to: number) =>
      samples
        .subarray(Math.round(from * SAMPLES_PER_SECOND), Math.round(to * SAMPLES_PER_SECOND))
        .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    expect(loudest(0, changes.muted.from)).toBeGreaterThan(1_000)
    expect(loudest(changes.muted.to + 0.5, samples.length / SAMPLES_PER_SECOND)).toBeLessThan(30)
  })

  // The last one: it blocks this process for seconds, and the sandbox would take the participants of the show for lost.
  it('has at most 150 kB of script and style by Brotli, and loads at most 60 kB by gzip before it plays HLS', () => {
    const built = [...buildPage('console')].filter(([name]) => /\.(js|css)$/.test(name)).map(([, content]) => content)
    const size = (files: readonly Uint8Array[], compress: (file: Uint8Array) => Uint8Array) =>
      files.reduce((sum, file) => sum + compress(file).length, 0)
    expect(size([...built, readFileSync(hlsScript)], (file) => brotliCompressSync(file))).toBeLessThan(150_000)
    expect(size(built, (file) => gzipSync(file))).toBeLessThan(60_000)
  })
})
