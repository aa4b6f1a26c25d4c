import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia, type MediaEngine } from '../../../../local/sandbox/media/create-media.ts'
import type { ArchiveSpec } from '../../../../local/sandbox/media/media.ts'
import { frameAt } from '../../../../local/sandbox/media/timebase.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { findCells, flashOnsets, readCellTimecode } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { inspectMp4 } from '../../../support/media/mp4.ts'
import { processesWith } from '../../../support/processes.ts'
import { composed } from './left-archives.ts'
import { START, stream } from './open-media.ts'

const SIZE = { width: 640, height: 480 }
const FRAME = 1 / 30
const ffmpegPath = await findFfmpeg()

let directory: string
let clock: SteppedClock
let media: MediaEngine

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'showrunner-media-'))
  await restart()
})
afterEach(async () => {
  await media.close()
  await rm(directory, { recursive: true })
})

async function restart(path = ffmpegPath, folder = 'out') {
  await media?.close()
  clock = createSteppedClock(START)
  media = await createMedia({ ffmpegPath: path, clock, directory: join(directory, folder) })
}

const archive = (id: string, more: Partial<ArchiveSpec> = {}) => composed({ id, ...more })

const broadcast = (id: string) => ({
  ...({ id, sessionId: 'session', resolution: '640x480', layout: { type: 'bestFit' } } as const),
  hls: { dvr: false, lowLatency: false },
})

const pathOf = (id: string) => join(directory, 'out', `${id}.mp4`)
const picturesOf = (id: string) => decodePictures(ffmpegPath, pathOf(id), SIZE)

describe('createMedia', () => {
  it('records an mp4 of exactly 30 frames a second whose tracks end together, with its index first', async () => {
    media.publish(stream('a'))
    const recorder = await media.startArchive(archive('one', { resolution: '1280x720' }))
    await clock.advance(3_000)
    const file = await recorder.finish()
    const { boxes, video, audio } = await inspectMp4(pathOf('one'))
    expect(file.seconds).toBe(3)
    expect(video).toMatchObject({ frames: 90, start: 0, end: 3, width: 1280, height: 720 })
    expect(audio).toMatchObject({ sampleRate: 48_000, channels: 1 })
    expect(Math.abs((audio?.end ?? 0) - 3)).toBeLessThan(0.1)
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'))
    const bytes = await readFile(pathOf('one'))
    expect(file).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('base64') })
    expect(Buffer.concat(await file.open().toArray())).toEqual(bytes)
    await file.discard()
    expect(await readdir(join(directory, 'out'))).toEqual([])
  })

  it("flashes and beeps at each whole second, every participant's within a frame of each other", async () => {
    for (const id of ['a', 'b', 'c']) media.publish(stream(id))
    const recorder = await media.startArchive(archive('sync'))
    await clock.advance(3_000)
    await recorder.finish()
    const pictures = await picturesOf('sync')
    const audio = await decodeAudio(ffmpegPath, pathOf('sync'))
    for (const place of [0, 1, 2]) {
      const flashes = flashOnsets(pictures, place).map((frame) => frame / 30)
      const beeps = beepOnsets(audio, place)
      expect(flashes).toEqual([0.5, 1.5, 2.5])
      expect(beeps).toHaveLength(3)
      for (const [index, beep] of beeps.entries())
        expect(Math.abs(beep - (flashes[index] as number))).toBeLessThan(FRAME)
    }
    expect(beepOnsets(audio, 3)).toEqual([])
  })

  it('shows every frame of the clock once, and the same one for all participants', async () => {
    for (const id of ['a', 'b']) media.publish(stream(id))
    const recorder = await media.startArchive(archive('frames'))
    await clock.advance(2_000)
    await recorder.finish()
    const first = frameAt(START) % 2 ** 24
    const seen = (await picturesOf('frames')).map((picture) =>
      [...findCells(picture).values()].map((cell) => readCellTimecode(picture, cell)),
    )
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => [first + index, first + index]))
  })

  it('applies changes of streams and layouts at their frame, in every running output', async () => {
    media.publish(stream('a'))
    const recorder = await media.startArchive(archive('changes'))
    await clock.advance(500)
    media.publish(stream('b'))
    await clock.advance(500)
    recorder.setLayout({ type: 'pip' })
    await clock.advance(500)
    media.updateStream('session', 'b', { layoutClasses: ['full'] })
    await clock.advance(500)
    media.unpublish('session', 'a')
    await clock.advance(500)
    media.unpublish('session', 'b')
    await clock.advance(500)
    await recorder.finish()
    const widths = (await picturesOf('changes')).map((picture) =>
      Array.from({ length: 2 }, (_, place) => findCells(picture).get(place)?.width),
    )
    const expected = [
      [640, undefined],
      [320, 320],
      [640, 160],
      [160, 640],
      [undefined, 640],
      [undefined, undefined],
    ]
    expect(widths).toEqual(expected.flatMap((pair) => Array(15).fill(pair)))
  })

  it('records only the chosen tracks of the chosen streams', async () => {
    for (const id of ['a', 'b']) media.publish(stream(id))
    const only = (streamId: string, hasAudio: boolean, hasVideo: boolean) => [{ streamId, hasAudio, hasVideo }]
    const recorder = await media.startArchive(archive('manual', { streams: only('a', false, true) }))
    await clock.advance(1_000)
    recorder.setStreams([...only('a', true, false), ...only('b', false, true)])
    await clock.advance(1_000)
    await recorder.finish()
    const pictures = await picturesOf('manual')
    const audio = await decodeAudio(ffmpegPath, pathOf('manual'))
    expect([0, 29, 30, 59].map((frame) => [...findCells(pictures[frame] as never).keys()])).toEqual([
      [0],
      [0],
      [1],
      [1],
    ])
    expect(beepOnsets(audio, 0)).toEqual([expect.closeTo(1.5, 2)])
    expect(beepOnsets(audio, 1)).toEqual([])
  })

  it('records a file without audio or without pictures on request', async () => {
    media.publish(stream('a'))
    const silent = await media.startArchive(archive('silent', { hasAudio: false }))
    const blind = await media.startArchive(archive('blind', { hasVideo: false }))
    await clock.advance(1_000)
    await Promise.all([silent.finish(), blind.finish()])
    const seen = await inspectMp4(pathOf('silent'))
    expect([seen.audio, seen.video?.frames]).toEqual([undefined, 30])
    const heard = await inspectMp4(pathOf('blind'))
    expect([heard.video, heard.audio?.end]).toEqual([undefined, expect.closeTo(1, 1)])
  })

  it('makes the same bytes each time', async () => {
    const hashes: string[] = []
    for (const folder of ['first', 'second']) {
      await restart(ffmpegPath, folder)
      media.publish(stream('a'))
      const recorder = await media.startArchive(archive('same'))
      await clock.advance(700)
      media.publish(stream('b'))
      await clock.advance(1_333)
      hashes.push((await recorder.finish()).sha256)
    }
    expect(hashes[1]).toBe(hashes[0])
  })

  it('keeps one frame of an archive that was stopped at once', async () => {
    const recorder = await media.startArchive(archive('short'))
    expect((await recorder.finish()).seconds).toBeCloseTo(FRAME)
    expect((await inspectMp4(pathOf('short'))).video?.frames).toBe(1)
  })

  it('keeps nothing of an archive that is discarded, or running at the close', async () => {
    const discarded = await media.startArchive(archive('discarded'))
    await media.startArchive(archive('running'))
    await clock.advance(1_000)
    await discarded.discard()
    await media.close()
    expect(await readdir(join(directory, 'out'))).toEqual([])
  })

  it('keeps nothing of an archive that was just starting at the close', async () => {
    const recording = { ...archive('one'), createdAt: START }
    const runs = [
      () => media.startArchive(recording).then(({ finish }) => finish()),
      () => media.startIndividualArchive(recording).then(({ finish }) => finish()),
      () => media.startBroadcast(broadcast('cut')).then(({ stop }) => stop()),
    ]
    for (const run of runs) {
      await restart()
      const failed = expect(run()).rejects.toThrow('media engine is closed')
      await media.close()
      await failed
      expect(processesWith(join(directory, 'out'))).toEqual([])
    }
    expect(await readdir(join(directory, 'out'), { recursive: true })).toEqual(['cut'])
  })

  it('refuses invalid calls', async () => {
    media.publish(stream('a'))
    expect(() => media.publish(stream('a'))).toThrow('The stream a is published already.')
    expect(() => media.updateStream('session', 'b', {})).toThrow('The stream b is not published.')
    await expect(media.startArchive(archive('../x'))).rejects.toThrow('cannot be a file name')
    await expect(media.startArchive(archive('x', { resolution: 'large' }))).rejects.toThrow('use the form 1280x720')
    await expect(media.startArchive(archive('x', { hasAudio: false, hasVideo: false }))).rejects.toThrow('needs audio')
    await expect(media.startArchive(archive('x', { layout: { type: 'custom' } }))).rejects.toThrow('stylesheet')
    const recorder = await media.startArchive(archive('x'))
    expect(() => recorder.setLayout({ type: 'custom', stylesheet: '*{}' })).toThrow('Line 1 of the stylesheet')
    await expect(media.startArchive(archive('x'))).rejects.toThrow('running already')
    await recorder.finish()
    await expect(recorder.finish()).rejects.toThrow('ended already')
    await restart(join(directory, 'none'))
    await expect(media.startArchive(archive('x'))).rejects.toMatchObject({ name: 'MediaError' })
  })
})
