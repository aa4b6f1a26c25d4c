import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import type { Picture } from '../../local/sandbox/media/composing/picture.ts'
import { type DemoRun, runDemo } from '../support/demo.ts'
import { countFlashes, expectAttendance, ONE_TURN } from '../support/media/attendance.ts'
import { beepOnsets } from '../support/media/beeps.ts'
import { findCells, flashOnsets } from '../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../support/media/decode.ts'
import { inspectMp4 } from '../support/media/mp4.ts'
import type { Recorded } from '../support/platform-record.ts'
import { findTool } from '../support/tools.ts'

const FRAME = 1 / 30
/** Seconds that files may differ from what was recorded: changes take effect within one turn, and files end with a frame. */
const TOLERANCE = ONE_TURN / 1000

/** One run of the demo with this machine's ffmpeg, observed from all sides. Ada and Grace are there from the start, Linus from 6 s, Grace until 14 s. */
describe('demo', () => {
  let ffmpegPath: string
  let livePlaylist: string
  let liveSegment: Buffer
  let demo: DemoRun
  let pictures: Picture[]
  let audio: Int16Array

  beforeAll(async () => {
    ffmpegPath = await findTool('ffmpeg', 'ffmpeg')
    demo = await runDemo({ FFMPEG_PATH: ffmpegPath }, async ({ says, child }) => {
      const [, address = ''] = await says(/watch it live: (\S+)/)
      ;({ playlist: livePlaylist, segment: liveSegment } = await watchLive(address, () => child.exitCode !== null))
    })
    pictures = await decodePictures(ffmpegPath, demo.recording('program').file, { width: 640, height: 360 })
    audio = await decodeAudio(ffmpegPath, demo.recording('program').file)
  })
  afterAll(() => demo?.remove())

  const archiveOf = (name: string) => byId(demo.record.archives, demo.recording(name).archiveId)
  const streamOf = (place: number) => demo.record.streams[place] as Recorded

  it('succeeds, and prints one JSON object that names every file', () => {
    const { code, outcome } = demo
    expect(code).toBe(0)
    expect(outcome).toMatchObject({ status: 'succeeded', sessionId: expect.stringMatching(/^[12]_/) })
    expect(outcome.recordings.map(({ name, status }) => [name, status])).toEqual([
      ['program', 'uploaded'],
      ['speakers', 'uploaded'],
    ])
    expect(outcome.broadcasts.map(({ name, status }) => [name, status])).toEqual([['live', 'stopped']])
    for (const { file, manifest } of outcome.recordings) expect([file, manifest].map(existsSync)).toEqual([true, true])
    // How many there may be is a matter of the simulation: a late machine polls more often.
    expect(outcome.execution.transitions).toBeGreaterThan(20)
  })

  it('records H.264 and AAC in the size that was asked for, as long as the platform says', async () => {
    for (const [name, width, height] of [
      ['program', 1280, 720],
      ['speakers', 640, 480],
    ] as const) {
      const { file, manifest, duration, size, key } = demo.recording(name)
      const { video, audio } = await inspectMp4(file)
      expect(video).toMatchObject({ width, height })
      expect(Math.abs((video?.end ?? 0) - duration)).toBeLessThanOrEqual(0.5) // it is rounded to the second
      expect(Math.abs((video?.end ?? 0) - secondsOf(archiveOf(name)))).toBeLessThan(TOLERANCE)
      expect(Math.abs((video?.end ?? 0) - (audio?.end ?? 0))).toBeLessThan(0.1)
      expect(JSON.parse(await readFile(manifest, 'utf8'))).toMatchObject({
        version: 1,
        status: 'complete',
        source: { key, size, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        video: { codec: 'h264', width, height, frameRate: 30 },
        audio: { codec: 'aac' },
        files: expect.arrayContaining([expect.objectContaining({ role: 'poster' })]),
      })
    }
  })

  it('shows two participants, then three, then two, each from joining to leaving as the platform recorded', () => {
    const { start } = archiveOf('program')
    expectAttendance(pictures, demo.record.streams, start)
    const placesIn = (frame: number) => [...findCells(pictures.at(frame) as Picture).keys()]
    expect(pictures.some((_, frame) => placesIn(frame).length === 3)).toBe(true)
    expect(placesIn(-1)).toEqual([0, 2])
  })

  it('brings participants and takes them out no sooner than planned', () => {
    // A show is live from its first recording or broadcast. A busy machine may start the broadcast much earlier.
    const { archives, broadcasts } = demo.record
    const start = Math.min(...[...archives, ...broadcasts].map((one) => one.start))
    expect(demo.record.streams.map(({ place }) => place)).toEqual([0, 1, 2])
    expect(streamOf(2).start - start).toBeGreaterThanOrEqual(6_000 - ONE_TURN)
    expect(streamOf(1).end - start).toBeGreaterThanOrEqual(14_000 - ONE_TURN)
  })

  it.each([
    ['Ada', 0],
    ['Grace', 1],
    ['Linus', 2],
  ])('has each flash of %s within a frame of its beep', (_name, place) => {
    const flashes = flashOnsets(pictures, place).map((frame) => frame * FRAME)
    const beeps = beepOnsets(audio, place)
    expect(flashes.length).toBeGreaterThanOrEqual(countFlashes(streamOf(place), archiveOf('program')))
    for (const flash of flashes.slice(1, -1)) {
      const nearest = Math.min(...beeps.map((beep) => Math.abs(beep - flash)))
      expect(nearest).toBeLessThanOrEqual(FRAME)
    }
  })

  it('has a playlist that could be played while it was live, and afterwards', async () => {
    expect(livePlaylist).not.toContain('#EXT-X-ENDLIST')
    const frames = await runFfmpeg(
      ffmpegPath,
      [...['-f', 'mp4', '-i', 'pipe:0', '-vf', 'scale=64:48', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']],
      [liveSegment],
    )
    expect(frames.length / (64 * 48)).toBeGreaterThan(30)
    const [{ playlist, broadcastId } = { playlist: '', broadcastId: '' }] = demo.outcome.broadcasts
    expect(await readFile(playlist, 'utf8')).toContain('#EXT-X-ENDLIST')
    const seconds = (await decodePictures(ffmpegPath, playlist, { width: 64, height: 48 })).length * FRAME
    expect(Math.abs(seconds - secondsOf(byId(demo.record.broadcasts, broadcastId)))).toBeLessThan(TOLERANCE)
  })

  describe('seen by ffprobe, which neither made nor knows it', () => {
    const probe = async (path: string): Promise<Probe> => {
      const ffprobe = await findTool('ffprobe', 'ffmpeg')
      const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path]
      return JSON.parse((await promisify(execFile)(ffprobe, args)).stdout)
    }

    it.each([
      ['program', 1280, 720],
      ['speakers', 640, 480],
    ])('has H.264 at 30 fps and AAC in %s', async (name, width, height) => {
      const { file, duration } = demo.recording(name)
      const { streams, format } = await probe(file)
      const [video, audio] = ['video', 'audio'].map((type) => streams.find(({ codec_type }) => codec_type === type))
      expect(video).toMatchObject({ codec_name: 'h264', width, height, avg_frame_rate: '30/1', pix_fmt: 'yuv420p' })
      expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000' })
      expect(Math.abs(Number(format.duration) - duration)).toBeLessThan(0.5)
      expect(Math.abs(Number(video?.duration) - Number(audio?.duration))).toBeLessThan(0.1)
    })

    it('has the whole broadcast in the playlist that stayed', async () => {
      const [{ playlist, broadcastId } = { playlist: '', broadcastId: '' }] = demo.outcome.broadcasts
      const { format } = await probe(playlist)
      const seconds = secondsOf(byId(demo.record.broadcasts, broadcastId))
      expect(Math.abs(Number(format.duration) - seconds)).toBeLessThan(TOLERANCE)
    })
  })
})

interface Probe {
  readonly streams: readonly { readonly codec_type: string; readonly codec_name: string; readonly duration?: string }[]
  readonly format: { readonly duration: string }
}

const secondsOf = ({ start, end }: Recorded) => (end - start) / 1000

function byId<Item extends { readonly id: string }>(items: readonly Item[], id: string): Item {
  const found = items.find((item) => item.id === id)
  if (!found) throw new Error(`The platform recorded nothing of ${id}.`)
  return found
}

/** Follows a live playlist, as a player does, until it has a segment. */
async function watchLive(address: string, isOver: () => boolean): Promise<{ playlist: string; segment: Buffer }> {
  while (!isOver()) {
    const response = await fetch(address)
    const playlist = response.ok ? await response.text() : ''
    const segment = /^[^#\s]+$/m.exec(playlist)?.[0]
    const load = async (file: string) => Buffer.from(await (await fetch(new URL(file, address))).arrayBuffer())
    if (segment) return { playlist, segment: Buffer.concat([await load('init.mp4'), await load(segment)]) }
    await new Promise((resolve) => setTimeout(resolve, 200)) // a player's pause between two requests, not a guess at a time
  }
  throw new Error('The show ended before its playlist had a segment.')
}
