import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createShowApi } from '../../bin/shows/show-api.ts'
import type { Clip, ShowClip } from '../../lib/client/documents.ts'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { readLiveList } from '../../lib/media/hls/playlists/live-clip-playlist.ts'
import { FRAMES_PER_SECOND } from '../../local/sandbox/media/timebase.ts'
import { decodeEveryFrame, decodeTimedAudio } from '../lib/media/joining/decode-joined.ts'
import { launchChromium } from '../support/browsers/chromium.ts'
import { collectComplaints } from '../support/browsers/complaints.ts'
import { beepOnsets } from '../support/media/beeps.ts'
import { findCells, readCellTimecode } from '../support/media/cells.ts'
import { timeOfCode } from '../support/media/times.ts'
import { startProgram } from '../support/program.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../support/ready-program.ts'

const SHOW = {
  version: 1,
  name: 'Talk',
  duration: 1_200,
  recordings: [{ name: 'program' }],
  broadcasts: [{ name: 'live', hls: { dvr: true } }],
}
/** Milliseconds that no machine needs. */
const HANGING = 300_000
/** Milliseconds in which the page asks its player several times for what is shown. */
const LATE = 5_000
/** Seconds of a clip: not whole frames, and between keyframes. */
const [LENGTH, FRAMES] = [3.5, 105]

describe('a clip of a show', () => {
  let directory: string
  let ffmpegPath: string
  let laptop: ReadyProgram<LocalAddresses>
  let showId: string
  let first: ShowClip
  let later: ShowClip
  let recorded: Clip
  let seenLive: number[]
  let browser: Browser
  let page: Page
  let complaints: readonly string[]
  let watched: number
  let shownAfterMarker: number
  const api = () => createShowApi(laptop.ready)
  const wait = <Result>(check: () => Promise<Result | undefined | false>) =>
    vi.waitUntil(check, { timeout: HANGING, interval: 200 })

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'showrunner-clips-'))
    ffmpegPath = await findFfmpeg()
    laptop = await startLocal(join(directory, 'local'))
    const file = join(directory, 'talk.json')
    await writeFile(file, JSON.stringify(SHOW))
    const where = ['--directory', join(directory, 'local')]
    const run = startProgram(['run', file, '--participants', '1', ...where]).ended
    showId = await wait(async () => (await list())[0])
    const liveAt = await wait(async () => (await api().shows.get(showId)).liveAt)
    await wait(async () => (await keptUntil()) - Date.parse(liveAt ?? '') > (2.25 + LENGTH) * 1000)
    await api().controls.setMarker(showId, { label: 'The demo', at: 2.25 })
    first = await api().clips.createLive(showId, { name: 'The demo', from: 'last marker', to: 2.25 + LENGTH })
    seenLive = await codesIn(first.hls?.url ?? '')
    later = await published(await api().clips.createLive(showId, { name: 'Now', last: 3 }))
    browser = await launchChromium()
    page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    complaints = collectComplaints(page)
    await page.goto(laptop.ready.consoleUrl)
    watched = await createInConsole('Clip of the last seconds', { 'Last seconds in seconds': '4' })
    first = await published(first)
    shownAfterMarker = await shownAfter(Date.parse(liveAt ?? '') + 2_250)
    await api().controls.stop(showId)
    expect((await run).code).toBe(0)
    const [recording] = await Array.fromAsync(api().recordings.list())
    const archiveId = recording?.archiveId ?? ''
    await page.locator('.recording').getByText('Clips', { exact: true }).click()
    await createInConsole('Clip of the recording', { 'Start in seconds': '1', 'End in seconds': '3.5' })
    recorded = await api().clips.create(archiveId, {
      name: 'After',
      from: 'last marker',
      to: liveAt ? timeAfter(liveAt, 2.25 + LENGTH) : 0,
    })
    recorded = await wait(async () => {
      const clip = await api().clips.get(archiveId, recorded.clipId)
      return clip.status !== 'cutting' && clip
    })
  }, 2 * HANGING)
  afterAll(async () => {
    await browser?.close()
    await laptop?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  /** Creates a clip in the console, opens its page, and returns the seconds that have played. */
  async function createInConsole(name: string, fields: Readonly<Record<string, string>>): Promise<number> {
    const group = page.getByRole('group', { name, exact: true })
    await group.getByLabel(/^Title of a clip/).fill('By hand')
    for (const [label, value] of Object.entries(fields)) await group.getByLabel(label).fill(value)
    await group.getByRole('button', { name: 'Create clip' }).click()
    const line = group.getByRole('listitem').filter({ hasText: 'By hand' })
    const [opened] = await Promise.all([page.waitForEvent('popup'), line.getByRole('link', { name: 'Watch' }).click()])
    const video = opened.locator('#video')
    const time = () => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime)
    await opened.getByRole('button', { name: 'Watch from the beginning' }).click()
    const start = await time()
    const played = await wait(async () => (await time()) - start > 0.5 && (await time()) - start)
    await opened.close()
    await line.getByRole('link', { name: 'MP4' }).waitFor({ timeout: HANGING })
    return played
  }
  /**
   * Opens the page of the show at a time, far behind the live edge, with a network that delivers the first segment late. Returns
   * by how many seconds what it shows is later.
   */
  async function shownAfter(time: number): Promise<number> {
    await wait(async () => Date.now() - time > 20_000)
    const openedAt = Date.now()
    const { watch } = await api().shows.get(showId)
    const opened = await browser.newPage()
    const late = new Promise((resolve) => setTimeout(resolve, LATE))
    await opened.route(/\.(m4s|ts)/, async (route) => {
      await late
      await route.continue()
    })
    await opened.goto(`${watch?.url}&at=${new Date(time).toISOString()}`)
    const shown = await wait(async () => {
      await opened.getByRole('button', { name: 'Share this moment' }).click({ timeout: HANGING })
      const link = new URL(await opened.getByLabel('Link to the moment').inputValue())
      const after = Date.parse(link.searchParams.get('at') ?? '') - time
      return after < Date.now() - openedAt && { after }
    })
    await opened.close()
    return shown.after / 1000
  }
  const list = async () => (await Array.fromAsync(api().shows.list())).map((show) => show.showId)
  /** Returns when the newest segment of the broadcast ends, which is late on a busy machine. */
  const keptUntil = async () => {
    const url = (await api().shows.get(showId)).broadcasts[0]?.hls ?? ''
    const { start = 0, duration = 0 } = readLiveList(await (await fetch(url)).text(), url)?.segments.at(-1) ?? {}
    return start + duration * 1000
  }
  const timeAfter = (time: string, seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString()
  const published = ({ clipId }: ShowClip): Promise<ShowClip> =>
    wait(async () => {
      const clip = await api().clips.getLive(showId, clipId)
      return clip.status !== 'cutting' && clip
    })
  /** Reads the number of each frame behind an address. */
  async function codesIn(address: string): Promise<number[]> {
    const { frames } = await decodeEveryFrame(ffmpegPath, address)
    return frames.map((picture) => {
      const [cell] = findCells(picture).values()
      return (cell && readCellTimecode(picture, cell)) ?? Number.NaN
    })
  }
  const stored = async (name: string, { file }: Pick<ShowClip, 'file'>) => {
    const path = join(directory, name)
    await writeFile(path, Buffer.from(await (await fetch(file?.url ?? '')).arrayBuffer()))
    return path
  }
  /** Reads the seconds from the first segment to the start of a clip. */
  const offsetOf = async ({ hls }: Pick<ShowClip, 'hls'>) =>
    Number(/TIME-OFFSET=([\d.]+)/.exec(await (await fetch(hls?.url ?? '')).text())?.[1])
  const follows = (codes: readonly number[]) => codes.every((code, index) => code === (codes[0] ?? 0) + index)

  it('plays by HLS while the show is live, from the segments around it', async () => {
    const start = (seenLive[0] ?? 0) + (await offsetOf(first)) * FRAMES_PER_SECOND
    expect(follows(seenLive)).toBe(true)
    expect(start - (seenLive[0] ?? 0)).toBeLessThanOrEqual(2 * FRAMES_PER_SECOND + 4)
    expect(seenLive.at(-1)).toBeGreaterThanOrEqual(start + FRAMES - 1)
  })

  it('becomes an MP4 of exactly its frames, in sync', async () => {
    const path = await stored('first.mp4', first)
    const codes = await codesIn(path)
    expect(follows(codes)).toBe(true)
    expect([FRAMES, FRAMES + 1]).toContain(codes.length) // one more if it begins and ends within frames
    const start = (seenLive[0] ?? 0) + (await offsetOf(first)) * FRAMES_PER_SECOND
    expect(Math.abs((codes[0] ?? 0) - start)).toBeLessThanOrEqual(1)
    const seconds = timeOfCode(codes[0] ?? 0, Date.now()) / 1000
    for (const at of beepOnsets(await decodeTimedAudio(ffmpegPath, path), 0)) {
      const second = seconds + at
      expect(Math.abs(second - Math.round(second))).toBeLessThanOrEqual(1 / FRAMES_PER_SECOND)
    }
    await runFfmpeg(ffmpegPath, ['-v', 'error', '-xerror', '-i', path, '-f', 'null', '-'])
  })

  it('of the last seconds ends with the newest that the broadcast keeps', async () => {
    expect(later).toMatchObject({ status: 'published', name: 'Now', broadcast: 'live' })
    expect(later.to - later.from).toBeCloseTo(3, 2)
    expect(follows(await codesIn(await stored('later.mp4', later)))).toBe(true)
  })

  it('is created in the console and plays on its page', () => {
    expect(watched).toBeGreaterThan(0.5)
    expect(complaints).toEqual([])
  })

  it('is not needed to open a broadcast with DVR at a time', () => {
    expect(shownAfterMarker).toBeGreaterThan(-2) // links have whole seconds
  })

  it('is as long as a clip of the recording', async () => {
    expect(recorded.status).toBe('published')
    const codes = await codesIn(await stored('recorded.mp4', recorded))
    expect(follows(codes)).toBe(true)
    expect(Math.abs(codes.length - FRAMES)).toBeLessThanOrEqual(1)
  })

  it('is listed and deleted after the show as well', async () => {
    const listed = await api().clips.listLive(showId)
    expect(listed.items.map(({ name }) => name)).toEqual(['The demo', 'Now', 'By hand'])
    await api().clips.deleteLive(showId, later.clipId)
    expect((await fetch(later.watch?.url ?? '')).status).toBe(410)
    expect((await api().clips.listLive(showId)).items).toHaveLength(2)
    await expect(api().clips.createLive(showId, { name: 'Late', last: 5 })).rejects.toThrow('is not live')
  })
})
