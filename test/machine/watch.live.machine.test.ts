import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { root } from '../../bin/local/root.ts'
import { createShowApi } from '../../bin/shows/show-api.ts'
import { expectAccessible } from '../support/browsers/accessibility.ts'
import { launchChromium } from '../support/browsers/chromium.ts'
import { expectValidPlaylists } from '../support/hls/read-presentation.ts'
import { startProgram } from '../support/program.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../support/ready-program.ts'
import { findTool } from '../support/tools.ts'
import { openWatchedPage, type WatchedPage } from './watched-page.ts'
import type { Recording, Styled } from './watched-video.ts'

/** With SHOW_DOCS=1 the test writes the screenshots of the documents. */
const pictureOf = (name: string) => (process.env.SHOW_DOCS ? { path: join(root, 'docs/images', name) } : undefined)

/** Tolerance of a click on the bar, in seconds: one pixel, and rounding. */
const SEEKING = 0.2

const EXAMPLE = join(root, 'examples/webinar.json')
/** Minimum seconds for which the show is live. On a busy machine, its page plays later, and it is live until then. */
const MIN_SECONDS = 20
/** Milliseconds that no machine needs. */
const HANGING = 600_000

const CAPTIONS =
  'WEBVTT\n\n00:00.000 --> 00:10.000\nGood evening, and welcome.\n\n00:10.000 --> 20:00.000\nAny questions?\n'

/** Plays the recordings of a real show in programs that did not create them: Debian's ffmpeg, and Chromium on the watch page. */
describe('recordings of a show', () => {
  let directory: string
  let laptop: ReadyProgram<LocalAddresses>
  let browser: Browser
  let watched: WatchedPage | undefined
  let program: Recording
  let speakers: Recording
  /** Contents of the page of the show, which a viewer had open while the show was live and ended. */
  let followed: { shared: string; facts: string | null; links: string[]; loads: readonly string[] }

  const ask = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { ...init.headers, authorization: `Bearer ${laptop.ready.token}` }
    const answer = await fetch(laptop.ready.apiUrl + path, { ...init, headers })
    expect(answer.status, path).toBe(200)
    return (await answer.json()) as Answer
  }
  const recording = async (name: string) => {
    const { items } = await ask<{ items: Recording[] }>('/recordings')
    return ask<Recording>(`/recordings/${items.find(({ show }) => show.name === name)?.archiveId}`)
  }

  /** Opens the page of the show that is starting. Resolves once its live broadcast plays, however late. */
  async function followShow() {
    const showId = await vi.waitFor(
      async () => {
        const { items } = await ask<{ items: { showId: string }[] }>('/shows')
        return items[0]?.showId ?? Promise.reject(new Error('No show has started.'))
      },
      { timeout: HANGING, interval: 250 },
    )
    const { watch } = await ask<{ watch: { url: string } }>(`/shows/${showId}`)
    const shown = await (await browser.newContext()).newPage()
    const loads: string[] = []
    shown.on('load', () => loads.push(shown.url()))
    await shown.goto(watch.url)
    await shown.getByText(/^[\d.]+ s behind$/).waitFor({ timeout: HANGING }) // counted as the picture advances
    return { shown, showId, loads }
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'showrunner-machine-'))
    laptop = await startLocal(join(directory, 'local'))
    const where = ['--directory', join(directory, 'local')]
    browser = await launchChromium()
    const file = join(directory, 'webinar.json')
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(EXAMPLE, 'utf8')), duration: 1_200 }))
    const run = startProgram(['run', file, '--participants', '3', ...where]).ended
    const { shown, showId, loads } = await followShow()
    const secondsLive = async () =>
      (Date.now() - Date.parse((await ask<{ liveAt: string }>(`/shows/${showId}`)).liveAt)) / 1000
    await vi.waitUntil(async () => (await secondsLive()) > MIN_SECONDS, { timeout: HANGING, interval: 500 })
    await shown.getByRole('button', { name: 'Share this moment' }).click({ timeout: HANGING })
    const shared = await shown.getByLabel('Link to the moment').inputValue()
    await createShowApi(laptop.ready).controls.stop(showId)
    const { code, stderr } = await run
    expect(code, stderr).toBe(0)
    program = await recording('program')
    speakers = await recording('speakers')
    await shown.locator('#controls').waitFor({ timeout: HANGING })
    const links = await shown.locator('#recordings a').allTextContents()
    followed = { shared, facts: await shown.locator('#facts').textContent(), links, loads }
    await shown.context().close()
  })

  afterAll(async () => {
    await browser?.close()
    await laptop?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  afterEach(async () => {
    const problems = watched?.problems() ?? []
    await watched?.close()
    watched = undefined
    expect(problems).toEqual([])
  })

  it('follow the live broadcast on the page of their show, without another load of the page', () => {
    expect(followed.facts).toMatch(/^program · /)
    expect(followed.links).toEqual(['program', 'speakers'])
    expect(followed.loads).toHaveLength(1)
  })

  describe('in ffmpeg', () => {
    it('play from every playlist of media and I-frames without a warning', async () => {
      const ffmpeg = await findTool('ffmpeg', 'ffmpeg')
      for (const one of [program, speakers]) {
        const playlists = playlistsOf(one)
        expect(playlists.length).toBeGreaterThanOrEqual(5)
        for (const url of playlists) {
          const args = ['-v', 'warning', '-nostdin', '-i', url, '-f', 'null', '-']
          expect((await promisify(execFile)(ffmpeg, args)).stderr, url).toBe('')
        }
      }
    })

    it('have valid playlists, as long as the recording', async () => {
      for (const { files } of [program, speakers]) {
        const master = files.find(({ role }) => role === 'hls')?.url ?? ''
        const fetchText = async (uri: string) => (await fetch(new URL(uri, master))).text()
        expect(await expectValidPlaylists(await fetchText(master), fetchText)).toBeGreaterThanOrEqual(4)
      }
      const all = [program, speakers].flatMap((one) => playlistsOf(one).map((url) => ({ url, duration: one.duration })))
      for (const { url, duration } of all) {
        const playlist = await (await fetch(url)).text()
        if (playlist.includes('#EXT-X-STREAM-INF')) continue
        const durations = [...playlist.matchAll(/#EXTINF:([\d.]+),/g)].map(([, seconds]) => Number(seconds))
        const whole = durations.reduce((sum, seconds) => sum + seconds, 0)
        expect(Math.abs(whole - duration), url).toBeLessThan(0.5)
        expect(playlist).toMatch(/\n#EXT-X-ENDLIST\n$/)
      }
    })
  })

  describe('on the watch page, in Chromium', () => {
    const open = async ({ watch }: Recording, opening?: Parameters<typeof openWatchedPage>[2]) => {
      watched = await openWatchedPage(browser, watch.url, opening)
      return watched
    }

    it('show the poster first, and play on a click', async () => {
      const { page, now, until } = await open(program)
      const { time, paused, poster } = await now()
      expect({ time, paused }).toEqual({ time: 0, paused: true })
      expect((await page.request.get(poster)).headers()['content-type']).toBe('image/jpeg')
      await page.getByRole('button', { name: 'Watch from the beginning' }).click()
      await until(({ time, paused }) => time > 1 && !paused)
      await page.keyboard.press(' ')
      await until(({ paused }) => paused)
    })

    it('have the title of their show, and are saved under it', async () => {
      const { page } = await open(program)
      expect(await page.title()).toBe('Launch webinar – program')
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Launch webinar')
      const name = `Launch webinar – program – ${program.createdAt.slice(0, 10)}`
      for (const [link, file] of [
        ['Download', `${name}.mp4`],
        ['Download audio', `${name}.m4a`],
      ] as const) {
        const saved = page.waitForEvent('download')
        await page.getByRole('link', { name: link, exact: true }).click()
        expect((await saved).suggestedFilename()).toBe(file)
      }
      expect(page.url()).toBe(program.watch.url)
    })

    it('seek by clicks and by keys', async () => {
      const { page, until, along } = await open(program)
      await page.getByRole('button', { name: 'Play' }).click()
      const { x, y } = await along(0.75)
      const arrivesAt = (share: number, by = 0) =>
        until(({ seeks }) => Math.abs((seeks.at(-1) ?? 0) - share * program.duration - by) < SEEKING)
      await page.mouse.click(x, y)
      await arrivesAt(0.75)
      await page.keyboard.press('k')
      await until(({ paused }) => paused)
      await page.keyboard.press('2')
      await arrivesAt(0.2)
      await page.keyboard.press('l')
      await arrivesAt(0.2, 10)
      await page.keyboard.press('k')
      await until(({ time }) => time > 0.2 * program.duration + 10.2)
    })

    it('show the thumbnail at the pointer', async () => {
      const { page, along } = await open(program)
      const thumbnail = page.locator('#thumbnail')
      const backgroundAt = async (share: number) => {
        const { x, y } = await along(share)
        await page.mouse.move(x, y)
        await thumbnail.waitFor()
        return thumbnail.evaluate((element) => (element as unknown as Styled).style.backgroundPosition)
      }
      await page.waitForLoadState('networkidle')
      const [one, other] = [await backgroundAt(0.1), await backgroundAt(0.6)]
      expect(one).not.toBe(other)
      const seconds = Math.floor(0.6 * program.duration)
      const times = [seconds, seconds + 1].map((all) => `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`)
      expect(times).toContain(await page.locator('#preview-words').textContent())
      const sheet = await thumbnail.evaluate((element) => (element as unknown as Styled).style.backgroundImage)
      expect((await page.request.get(/url\("(.*)"\)/.exec(sheet)?.[1] ?? '')).ok()).toBe(true)
    })

    it('play in every rendition', async () => {
      const { page, now, until, playFromTheBeginning } = await open(program)
      await page.getByRole('button', { name: 'Play' }).click()
      await until(({ time }) => time > 0.2)
      await page.locator('#settings > summary').click()
      const quality = page.getByLabel('Quality')
      const labels = await quality.locator('option').allTextContents()
      expect(labels).toEqual(['Auto', '720p', '480p', '240p'])
      for (const label of labels.slice(1).reverse()) {
        await playFromTheBeginning() // a slow machine has played to the end meanwhile
        await quality.selectOption(label)
        await until(({ height }) => `${height}p` === label)
        const { time } = await now()
        await until((state) => state.time > time + 0.3)
      }
    })

    it('have the shape of their picture', async () => {
      const { page, now, until } = await open(speakers)
      await page.getByRole('button', { name: 'Play' }).click()
      await until(({ time }) => time > 0.5)
      const { width, height } = await now()
      expect(width / height).toBeCloseTo(4 / 3, 2)
    })

    it('have supplied captions on the page and in the playlist', async () => {
      await ask(`/recordings/${program.archiveId}/captions/en`, {
        method: 'PUT',
        headers: { 'content-type': 'text/vtt' },
        body: CAPTIONS,
      })
      const { page, now, until, along } = await open(program)
      await page.getByRole('button', { name: 'Play' }).click()
      await until(({ time }) => time > 0.5)
      await page.keyboard.press('k')
      expect((await now()).captions).toEqual([])
      await page.keyboard.press('0') // a busy machine has played on before the pause
      await page.keyboard.press('c')
      await until(({ captions }) => captions.includes('Good evening, and welcome.'))
      await page.keyboard.press('7')
      await until(({ captions }) => captions.includes('Any questions?'))
      const { x, y } = await along(0.2)
      await page.mouse.move(x, y)
      await page.locator('#thumbnail').waitFor()
      await page.locator('#play').blur()
      await page.screenshot(pictureOf('watch.png'))
      const { files } = await recording('program')
      const master = files.find(({ role }) => role === 'hls')?.url ?? ''
      expect(await (await fetch(master)).text()).toContain('TYPE=SUBTITLES')
    })

    it('start at the second in their address, and have a transcript to search and a link to share', async () => {
      const { page, until, seek } = await open({ ...program, watch: { url: `${program.watch.url}&t=5` } })
      await page.getByRole('button', { name: 'Play' }).click()
      await until(({ time, seeks }) => time > 5 && (seeks[0] ?? 5) >= 5)
      await page.keyboard.press('k')
      await page.keyboard.press('>')
      await until(({ rate, paused }) => rate === 1.25 && paused)
      await page.getByText('Transcript', { exact: true }).click()
      await page.getByRole('searchbox', { name: 'Search the transcript' }).fill('questions?')
      await expect.poll(() => page.locator('#transcript-found').textContent()).toBe('1 of 2 lines')
      await page.getByRole('button', { name: 'Any questions?' }).click()
      await until(({ time }) => Math.abs(time - 10) < SEEKING)
      expect(await page.getByRole('button', { name: 'Copy link' }).isVisible()).toBe(false) // until it is opened
      await page.getByText('Share', { exact: true }).click()
      await page.getByLabel('Start at').check()
      expect(await page.locator('#share-link').inputValue()).toBe(`${program.watch.url}&t=10`)
      await seek(12)
      await until(({ time }) => Math.abs(time - 12) < SEEKING)
      await page.getByLabel('Stop at').check()
      expect(await page.locator('#share-link').inputValue()).toBe(`${program.watch.url}&t=10,12`)
      expect(await page.getByRole('button', { name: 'Copy code' }).isVisible()).toBe(false) // no page may embed it
      await expectAccessible(page, 'the dialog of a moment')
    })

    it('start at the moment that a viewer of the live broadcast has shared', async () => {
      const { shared } = followed
      const { page, until } = await open({ ...program, watch: { url: shared } })
      const from = (Date.parse(new URL(shared).searchParams.get('at') ?? '') - Date.parse(program.createdAt)) / 1000
      expect(from > 0 && from < program.duration, shared).toBe(true)
      await page.getByRole('button', { name: 'Play' }).click()
      await until(({ time, seeks }) => time > from && (seeks[0] ?? from) >= from - SEEKING)
    })

    it('have valid links, however long ago the page was opened', async () => {
      const { page, along } = await open(program, { hasClock: true })
      const shown = async () => {
        const { x, y } = await along(0.3)
        await page.mouse.move(x, y)
        const sheet = await page.locator('#thumbnail').evaluate((element) => (element as unknown as Styled).style)
        const links = page.locator('#links a')
        return [
          /url\("(.*)"\)/.exec(sheet.backgroundImage)?.[1] ?? '',
          ...(await links.evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href))),
        ]
      }
      await page.waitForLoadState('networkidle')
      const before = await shown()
      const areRenewed = async () => {
        await page.clock.fastForward('51:00')
        return (await shown()).every((link, index) => link !== before[index])
      }
      await expect.poll(areRenewed).toBe(true)
      for (const link of await shown())
        expect((await page.request.get(link, { headers: { range: 'bytes=0-0' } })).status(), link).toBe(206)
    })

    it('fit on a phone', async () => {
      const { page, until } = await open(program, { onPhone: true })
      await page.getByRole('button', { name: 'Watch from the beginning' }).tap()
      await until(({ time }) => time > 0.5)
      const [scrolled, seen] = (await page.evaluate(
        'Promise.resolve([document.documentElement.scrollWidth, window.innerWidth])',
      )) as [number, number]
      expect(scrolled).toBeLessThanOrEqual(seen)
      await page.getByRole('button', { name: 'Captions' }).tap()
      await until(({ captions }) => captions.length > 0)
      await page.locator('#video').tap({ position: { x: 40, y: 40 } }) // brings the controls, and stops nothing
      await until(({ time }) => time > 1.5)
      await page.screenshot(pictureOf('watch-phone.png'))
      await page.locator('#settings > summary').tap()
      await page.getByLabel('Speed').selectOption('2×')
      await until(({ rate }) => rate === 2)
    })
  })

  it('are refused for a changed link', async () => {
    const url = new URL(program.watch.url)
    url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))
    expect((await fetch(url)).status).toBe(404)
    url.pathname += '/recording'
    expect((await fetch(url)).status).toBe(403)
  })
})

/** Returns the links to every playlist of a recording, from its master playlist. */
function playlistsOf({ archiveId, files }: Recording): string[] {
  const master = files.find(({ role }) => role === 'hls')?.url ?? ''
  return files
    .filter(({ key }) => key.endsWith('.m3u8'))
    .map(({ key }) => {
      const url = new URL(master)
      url.searchParams.set('file', key.slice(`recordings/${archiveId}/`.length))
      return url.href
    })
}
