import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRunningLocal, localFileOf, type RunningLocal } from '../../bin/local/local-file.ts'
import { realClock } from '../../lib/clock.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { ShowResult } from '../../lib/show/state/result.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import { type EventApp, startEventApp } from '../support/event-app.ts'
import { type LatenessMeter, measureLateness } from '../support/lateness.ts'
import { countFlashes, expectAttendance } from '../support/media/attendance.ts'
import { beepOnsets } from '../support/media/beeps.ts'
import { findCells, flashOnsets, readCellTimecode } from '../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../support/media/decode.ts'
import { type PlatformRecord, readPlatformRecord } from '../support/platform-record.ts'
import { findProcess, killProcess, processesWith } from '../support/processes.ts'
import { type Program, startProgram } from '../support/program.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../support/ready-program.ts'

const FRAME = 1 / 30
/** Wide enough to read the timecode in; the recordings that are looked into are four times as large. */
const SIZE = { width: 640, height: 360 }

/** How long the show is live before it is stopped: so long are its recordings. */
const LIVE_MS = 25_000

type Shown = ShowState & { readonly result?: ShowResult }
type Published = Manifest & { readonly source: { readonly url: string } }

/**
 * One night on the laptop, in real time and with real media. Three recordings are planned for ten minutes: the encoder of
 * one is killed, the upload of another fails, and then the show is stopped by control.
 */
describe('a show that goes wrong in several ways at once', () => {
  let folder: string
  let ffmpegPath: string
  let app: EventApp
  let start: ReadyProgram<LocalAddresses>
  let laptop: RunningLocal
  let showId: string
  let follower: Program
  let stop: { readonly status: number; readonly ms: number; readonly runningAfterwards: readonly string[] }
  /** Milliseconds from the request to stop until the show had ended. */
  let endedAfter: number
  let record: PlatformRecord
  let result: ShowResult
  let recordings: Published[]

  const directory = () => join(folder, 'local')
  const api = async <Answer>(path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${laptop.token}`, 'content-type': 'application/json' }
    const response = await fetch(`${laptop.apiUrl}${path}`, { ...init, headers })
    return { status: response.status, body: (await response.json()) as Answer }
  }
  const show = async () => (await api<Shown>(`/shows/${showId}`)).body
  const document = (): ShowDocument => ({
    version: 1,
    name: 'Night',
    duration: 600,
    recordings: [
      { name: 'program', resolution: '1280x720' },
      { name: 'backup', resolution: '1280x720', layout: { type: 'horizontalPresentation' } },
      { name: 'doomed', resolution: '480x640', parts: false },
    ],
    broadcasts: [{ name: 'live', hls: {} }],
    publish: { access: 'public', keepDays: 30 },
    callback: { url: app.url },
    labels: { customer: 'c-1042' },
  })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'showrunner-night-'))
    ffmpegPath = await findFfmpeg()
    app = await startEventApp({
      keys: () => `${laptop.apiUrl}/.well-known/jwks.json`,
      failsAtFirst: ({ event, name }) => event === 'recording.started' && name === 'program',
    })
    start = await startLocal(directory())
    laptop = await findRunningLocal(localFileOf(directory()))
    await writeFile(join(folder, 'night.json'), JSON.stringify(document()))
    const options = ['--participants', '2', '--json', '--directory', directory()]
    follower = startProgram(['run', join(folder, 'night.json'), ...options])

    showId = (await app.hears(({ event }) => event === 'session.opened')).showId ?? ''
    await app.hears(({ event }) => event === 'broadcast.live')
    killProcess(await findProcess(directory(), '480x640'))
    await app.hears(({ event }) => event === 'recording.failed')
    await fetch(`${laptop.sandboxUrl}/sandbox/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${laptop.controlToken}` },
      body: JSON.stringify({ operation: 'stopArchive', fault: { type: 'failUpload' } }),
    })
    await realClock.sleep(Math.max(0, Date.parse((await show()).liveAt ?? '') + LIVE_MS - Date.now()))
    const meter = measureLateness(start.child.pid)
    stop = await askToStop(meter)
    await app.hears(({ event }) => event === 'show.ended')
    await follower.ended
    result = (await show()).result as ShowResult
    const [asked = 0, ended = 0] = [
      result.timeline.find(({ what }) => what === 'control.stop')?.at,
      result.endedAt,
    ].map((time) => Date.parse(time ?? ''))
    endedAfter = ended - asked - meter.between(asked, ended)
    meter.stop()
    record = readPlatformRecord(join(directory(), 'sandbox'))
    recordings = (await api<{ items: Published[] }>('/recordings')).body.items
  })
  afterAll(async () => {
    follower?.child.kill('SIGTERM')
    await follower?.ended
    await start?.stop()
    await app?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Asks the API, and then the platform itself. The time is without the lateness of the machine. */
  async function askToStop(meter: LatenessMeter) {
    const askedAt = Date.now()
    const { status } = await api(`/shows/${showId}/stop`, { method: 'POST' })
    const answeredAt = Date.now()
    const ms = answeredAt - askedAt - meter.between(askedAt, answeredAt)
    const { sandboxUrl: baseUrl, sandboxAccess } = laptop
    const platform = createPlatformClient({ baseUrl, ...sandboxAccess })
    const archives = await platform.listArchives()
    const broadcasts = await platform.listBroadcasts()
    const running = [...archives.items, ...broadcasts.items].filter((one) => one.status === 'started')
    return { status, ms, runningAfterwards: running.map(({ id }) => id) }
  }

  const part = (name: string) => {
    const found = result.recordings.find((one) => one.name === name)
    if (!found) throw new Error(`There is no recording ${name}.`)
    return found
  }
  const manifestOf = (name: string) => {
    const found = recordings.find(({ archiveId }) => archiveId === part(name).archiveId)
    if (!found) throw new Error(`The recording ${name} was not published.`)
    return found
  }

  it('acts on a stop within five seconds of a machine that is not late', () => {
    expect(stop.status).toBeLessThan(300)
    expect(stop.ms).toBeLessThan(5_000)
    expect(stop.runningAfterwards).toEqual([])
    expect(result.timeline.filter(({ what }) => what === 'control.stop')).toHaveLength(1)
    expect(endedAfter).toBeLessThan(5_000)
  })

  it('loses the one recording whose encoder was killed, and says so', () => {
    expect(part('doomed')).toMatchObject({ status: 'failed', lost: expect.stringMatching(/\w/) })
    expect(result.status).toBe('failed')
    expect(result.reason).toContain('The recording doomed is lost.')
    expect(result.recordings.filter(({ lost }) => lost).map(({ name }) => name)).toEqual(['doomed'])
  })

  it('rescues the one whose upload failed', () => {
    const rescued = result.recordings.filter((one) => one.rescued)
    expect(rescued).toMatchObject([{ status: 'available', key: expect.stringMatching(/archive\.mp4$/) }])
    expect(result.timeline.filter(({ what }) => what === 'recording.rescued').map(({ name }) => name)).toEqual(
      rescued.map(({ name }) => name),
    )
  })

  it.each(['program', 'backup'])(
    'has the whole of %s in the bucket, as published and as the platform says',
    async (name) => {
      const { size, duration = 0 } = part(name)
      const { source, status, show: origin, access, keepDays, video } = manifestOf(name)
      const bytes = Buffer.from(await (await fetch(source.url)).arrayBuffer())
      expect([bytes.length, source.size]).toEqual([size, size])
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(source.sha256)
      expect({ status, origin, access, keepDays }).toEqual({
        status: 'complete',
        origin: { showId, name, part: 1 },
        access: 'public',
        keepDays: 30,
      })
      expect(video).toMatchObject({ width: 1280, height: 720, frameRate: 30 })

      const path = join(folder, `${name}.mp4`)
      await writeFile(path, bytes)
      const pictures = await decodePictures(ffmpegPath, path, SIZE)
      expect(Math.abs(pictures.length * FRAME - duration)).toBeLessThan(1)
      const cells = pictures.map(findCells)
      const archive = record.archives.find(({ id }) => id === part(name).archiveId)
      if (!archive) throw new Error(`The platform recorded no archive of ${name}.`)
      expectAttendance(pictures, record.streams, archive.start)
      expect([...(cells.at(-1)?.keys() ?? [])]).toEqual([0, 1])
      const codes = pictures.map((picture, frame) => readCellTimecode(picture, cells[frame]?.get(0) as never))
      expect(codes).toEqual(codes.map((_, frame) => (codes[0] ?? 0) + frame)) // no frame is missing, none comes twice

      const audio = await decodeAudio(ffmpegPath, path)
      for (const [place, stream] of record.streams.entries()) {
        const beeps = beepOnsets(audio, place)
        const flashes = flashOnsets(pictures, place).map((frame) => frame * FRAME)
        expect(flashes.length).toBeGreaterThanOrEqual(countFlashes(stream, archive))
        for (const flash of flashes.slice(1, -1))
          expect(Math.min(...beeps.map((beep) => Math.abs(beep - flash)))).toBeLessThanOrEqual(FRAME)
      }
    },
  )

  it('shows without a token what was published as public', async () => {
    const { archiveId, source } = manifestOf('program')
    const answer = await fetch(`${laptop.apiUrl}/public/recordings/${archiveId}`)
    expect([answer.status, await answer.json()]).toMatchObject([200, { archiveId, source: { sha256: source.sha256 } }])
    expect((await fetch(`${laptop.apiUrl}/recordings`)).status).toBe(401)
  })

  it('notifies the event app of everything, once each by its id, again where the app had failed', async () => {
    await expect.poll(() => app.events.length).toBe(11)
    const notified = app.events.map(({ event, name, status }) => [event, name, status].filter(Boolean).join(' '))
    expect(notified.sort()).toEqual(
      [
        'session.opened',
        ...['recording.started program', 'recording.started backup', 'recording.started doomed'],
        'broadcast.live live',
        'recording.failed doomed',
        ...['recording.published program ready', 'recording.published program complete'],
        ...['recording.published backup ready', 'recording.published backup complete'],
        'show.ended failed',
      ].sort(),
    )
    expect(app.problems).toEqual([])
    for (const event of app.events) expect(event).toMatchObject({ showId, labels: { customer: 'c-1042' } })
    const { id = '' } = app.events.find((one) => one.event === 'recording.started' && one.name === 'program') ?? {}
    expect(app.received.filter((one) => one === id).length).toBeGreaterThan(1)
  })

  it('leaves no encoder behind', () => {
    expect(processesWith(`${directory()}/sandbox/media`)).toEqual([])
  })
})
