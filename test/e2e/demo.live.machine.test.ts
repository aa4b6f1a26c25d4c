import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import type { Picture } from '../../local/sandbox/media/composing/picture.ts'
import { beepOnsets } from '../support/media/beeps.ts'
import { findCells, flashOnsets } from '../support/media/cells.ts'
import { decodePictures, decodeSound } from '../support/media/decode.ts'
import { inspectMp4 } from '../support/media/mp4.ts'
import { startProgram } from '../support/program.ts'

const FRAME = 1 / 30
const FRAMES_PER_SECOND = 30

/** One run of the demo, looked at from all sides. Ada and Grace are there from the start, Linus from 6 s, Grace until 14 s. */
describe('demo', () => {
  let directory: string
  let ffmpegPath: string
  let livePlaylist: string
  let liveSegment: Buffer
  let code: number | null
  let outcome: Outcome
  let pictures: Picture[]
  let sound: Int16Array

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'showrunner-demo-'))
    ffmpegPath = await findFfmpeg()
    const demo = startProgram(['demo', '--json', '--directory', join(directory, 'demo')])
    const [, address = ''] = await demo.says(/watch it live: (\S+)/)
    ;({ playlist: livePlaylist, segment: liveSegment } = await watchLive(address, () => demo.child.exitCode !== null))
    const ended = await demo.ended
    code = ended.code
    outcome = JSON.parse(ended.stdout)
    pictures = await decodePictures(ffmpegPath, recording('program').file, { width: 640, height: 360 })
    sound = await decodeSound(ffmpegPath, recording('program').file)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const recording = (name: string) => {
    const found = outcome.recordings.find((one) => one.name === name)
    if (!found) throw new Error(`There is no recording ${name}.`)
    return found
  }

  it('succeeds, and prints one JSON object that says where everything lies', () => {
    expect(code).toBe(0)
    expect(outcome).toMatchObject({ status: 'succeeded', sessionId: expect.stringMatching(/^[12]_/) })
    expect(outcome.recordings.map(({ name, status }) => [name, status])).toEqual([
      ['program', 'uploaded'],
      ['speakers', 'uploaded'],
    ])
    expect(outcome.broadcasts.map(({ name, status }) => [name, status])).toEqual([['live', 'stopped']])
    for (const { file, manifest } of outcome.recordings) expect([file, manifest].map(existsSync)).toEqual([true, true])
    expect(outcome.execution.transitions).toBeLessThan(60)
  })

  it('records H.264 and AAC in the size that was asked for, as long as the platform says', async () => {
    for (const [name, width, height] of [
      ['program', 1280, 720],
      ['speakers', 640, 480],
    ] as const) {
      const { file, manifest, duration, size, key } = recording(name)
      const { video, audio } = await inspectMp4(file)
      expect(video).toMatchObject({ width, height })
      expect(Math.abs((video?.end ?? 0) - duration)).toBeLessThanOrEqual(0.5) // it is rounded to the second
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

  it('shows two participants, then three, then two, within a second of their coming and going', () => {
    const cellsAt = (second: number) => [
      ...findCells(pictures[Math.round(second * FRAMES_PER_SECOND)] as Picture).keys(),
    ]
    expect(cellsAt(4.9)).toEqual([0, 1])
    expect(cellsAt(7.2)).toEqual([0, 1, 2])
    expect(cellsAt(12.9)).toEqual([0, 1, 2])
    expect(cellsAt(15.2)).toEqual([0, 2])
    expect(cellsAt(19.5)).toEqual([0, 2])
  })

  it.each([
    ['Ada', 0, 19],
    ['Grace', 1, 13],
    ['Linus', 2, 13],
  ])('has each flash of %s within a frame of its beep', (_name, place, atLeast) => {
    const flashes = flashOnsets(pictures, place).map((frame) => frame * FRAME)
    const beeps = beepOnsets(sound, place)
    expect(flashes.length).toBeGreaterThanOrEqual(atLeast - 1)
    for (const flash of flashes.slice(1, -1)) {
      const nearest = Math.min(...beeps.map((beep) => Math.abs(beep - flash)))
      expect(nearest).toBeLessThanOrEqual(FRAME)
    }
  })

  it('has a playlist that could be played while it was live, and afterwards', async () => {
    expect(livePlaylist).not.toContain('#EXT-X-ENDLIST')
    const frames = await runFfmpeg(
      ffmpegPath,
      [...['-f', 'mpegts', '-i', 'pipe:0', '-vf', 'scale=64:48', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']],
      [liveSegment],
    )
    expect(frames.length / (64 * 48)).toBeGreaterThan(30)
    const { playlist } = outcome.broadcasts[0] as { playlist: string }
    expect(await readFile(playlist, 'utf8')).toContain('#EXT-X-ENDLIST')
    expect((await decodePictures(ffmpegPath, playlist, { width: 64, height: 48 })).length).toBeGreaterThan(19 * 30)
  })
})

interface Outcome {
  status: string
  sessionId: string
  recordings: {
    name: string
    status: string
    key: string
    size: number
    duration: number
    file: string
    manifest: string
  }[]
  broadcasts: { name: string; status: string; playlist: string }[]
  execution: { historyEvents: number; transitions: number; invocations: number }
}

/** Follows a live playlist, as a player does, until it has a segment. */
async function watchLive(address: string, isOver: () => boolean): Promise<{ playlist: string; segment: Buffer }> {
  while (!isOver()) {
    const response = await fetch(address)
    const playlist = response.ok ? await response.text() : ''
    const segment = /^[^#\s]+$/m.exec(playlist)?.[0]
    if (segment) return { playlist, segment: Buffer.from(await (await fetch(new URL(segment, address))).arrayBuffer()) }
    await new Promise((resolve) => setTimeout(resolve, 200)) // a player's pause between two looks, not a guess at a time
  }
  throw new Error('The show ended before its playlist had a segment.')
}
