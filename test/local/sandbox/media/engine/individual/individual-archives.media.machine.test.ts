import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findFfmpeg } from '../../../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import type { IndividualArchiveSpec } from '../../../../../../local/sandbox/media/media.ts'
import { frameAt } from '../../../../../../local/sandbox/media/timebase.ts'
import { beepOnsets } from '../../../../../support/media/beeps.ts'
import { findCells, readCellTimecode } from '../../../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../../../support/media/decode.ts'
import { writeKnownFfmpeg } from '../../../../../support/media/impostor.ts'
import { inspectMp4 } from '../../../../../support/media/mp4.ts'
import { readZip } from '../../../../../support/zip.ts'
import { openMedia, START, stream } from '../../open-media.ts'

/** Half the size of the files, which is looked at faster. */
const SIZE = { width: 320, height: 240 }
const FRAME = 1 / 30
const FIRST = frameAt(START) % 2 ** 24

interface Manifest {
  readonly files: readonly {
    readonly connectionData: string
    readonly filename: string
    readonly size: number
    readonly startTimeOffset: number
    readonly stopTimeOffset: number
    readonly streamId: string
    readonly videoType: string
  }[]
}

const archive = (more: Partial<IndividualArchiveSpec> = {}): IndividualArchiveSpec => ({
  ...{ id: 'archive', sessionId: 'session', createdAt: START, hasAudio: true, hasVideo: true },
  ...more,
})

/** Opens a media engine with functions that read its archive. */
async function openRecording(options: { ffmpegPath?: string } = {}) {
  const world = await openMedia(options)
  const { directory, ffmpegPath } = world

  async function unpack() {
    const files = readZip(await readFile(join(directory, 'archive.zip')))
    const manifest: Manifest = JSON.parse(String(files.get('archive.json')))
    const unpacked = join(directory, 'unpacked')
    await mkdir(unpacked, { recursive: true })
    for (const [name, bytes] of files) await writeFile(join(unpacked, name), bytes)
    const path = (streamId: string) => join(unpacked, `${streamId}.webm`)
    return {
      files,
      manifest,
      offsets: manifest.files.map(({ streamId, startTimeOffset, stopTimeOffset }) => [
        streamId,
        startTimeOffset,
        stopTimeOffset,
      ]),
      tracks: async (streamId: string) => inspectMp4(path(streamId)),
      audio: (streamId: string) => decodeAudio(ffmpegPath, path(streamId)),
      /** The timecode of each frame that shows this participant, else what is to be seen. */
      async timecodes(streamId: string, place: number) {
        const pictures = await decodePictures(ffmpegPath, path(streamId), SIZE)
        return pictures.map((picture) => {
          const cells = findCells(picture)
          if (cells.size === 0) return 'black'
          const cell = cells.get(place)
          return cells.size === 1 && cell?.width === SIZE.width ? readCellTimecode(picture, cell) : [...cells.keys()]
        })
      },
    }
  }
  return { ...world, unpack }
}

const run = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => FIRST + from + index)

describe('an individual archive', () => {
  it('has a file for each of three participants who join and leave, exact to the frame by its offsets', async () => {
    const { media, clock, directory, unpack } = await openRecording()
    media.publish(stream('a', { connectionData: 'Ada' }))
    const recorder = await media.startIndividualArchive(archive({ name: 'speakers' }))
    await clock.advance(700)
    media.publish(stream('b', { videoType: 'screen' }))
    await clock.advance(600)
    media.publish(stream('c'))
    await clock.advance(400)
    media.unpublish('session', 'a')
    await clock.advance(1_000)
    media.unpublish('session', 'b')
    await clock.advance(300)
    const file = await recorder.finish()

    const { files, manifest, timecodes, audio, tracks } = await unpack()
    const size = (name: string) => files.get(name)?.length
    expect([...files.keys()]).toEqual(['a.webm', 'b.webm', 'c.webm', 'archive.json'])
    expect(manifest).toEqual({
      ...{ id: 'archive', name: 'speakers', sessionId: 'session', createdAt: START },
      files: [
        {
          ...{ streamId: 'a', filename: 'a.webm', size: size('a.webm'), connectionData: 'Ada', videoType: 'camera' },
          ...{ startTimeOffset: 0, stopTimeOffset: 1_700 },
        },
        {
          ...{ streamId: 'b', filename: 'b.webm', size: size('b.webm'), connectionData: '', videoType: 'screen' },
          ...{ startTimeOffset: 700, stopTimeOffset: 2_700 },
        },
        {
          ...{ streamId: 'c', filename: 'c.webm', size: size('c.webm'), connectionData: '', videoType: 'camera' },
          ...{ startTimeOffset: 1_300, stopTimeOffset: 3_000 },
        },
      ],
    })
    const heard: Record<string, number[]> = { a: [0.5, 1.5], b: [0.8, 1.8], c: [0.2, 1.2] }
    for (const [place, { streamId, startTimeOffset, stopTimeOffset }] of manifest.files.entries()) {
      const [from, to] = [startTimeOffset, stopTimeOffset].map((ms) => Math.round((ms * 30) / 1000)) as [number, number]
      expect(await timecodes(streamId, place)).toEqual(run(from, to))
      const own = beepOnsets(await audio(streamId), place)
      expect(own).toHaveLength(2)
      for (const [index, at] of own.entries())
        expect(Math.abs(at - (heard[streamId]?.[index] ?? 0))).toBeLessThan(FRAME)
      for (const other of [0, 1, 2].filter((one) => one !== place))
        expect(beepOnsets(await audio(streamId), other)).toEqual([])
      const found = await tracks(streamId)
      expect(found.video).toMatchObject({ frames: to - from, start: 0, width: 640, height: 480 })
      expect(Math.abs((found.audio?.end ?? 0) - (to - from) * FRAME)).toBeLessThan(FRAME)
    }
    const zip = await readFile(join(directory, 'archive.zip'))
    expect(file).toMatchObject({ seconds: 3, size: zip.length })
    expect(file.sha256).toBe(createHash('sha256').update(zip).digest('base64'))
    expect(Buffer.concat(await file.open().toArray())).toEqual(zip)
    await file.discard()
    expect(await readdir(directory)).toEqual(['unpacked'])
  })

  it('omits pauses from files and offsets', async () => {
    const { media, clock, unpack } = await openRecording()
    media.publish(stream('a'))
    const recorder = await media.startIndividualArchive(archive())
    await clock.advance(500)
    media.unpublish('session', 'a')
    recorder.pause()
    await clock.advance(10_000)
    media.publish(stream('b'))
    recorder.resume()
    await clock.advance(500)
    recorder.pause()
    await clock.advance(3_000)
    recorder.resume()
    await clock.advance(500)
    expect((await recorder.finish()).seconds).toBe(1.5)
    const { offsets, timecodes } = await unpack()
    expect(offsets).toEqual([
      ['a', 0, 500],
      ['b', 500, 1_500],
    ])
    expect(await timecodes('b', 0)).toEqual([...run(315, 330), ...run(420, 435)])
  })

  it('is silent while a stream is muted, and black while its video is off, in one file', async () => {
    const { media, clock, unpack } = await openRecording()
    const tracks = { hasAudio: true, hasVideo: true }
    media.publish(stream('a', { hasAudio: false, hasVideo: false, tracks }))
    const recorder = await media.startIndividualArchive(archive())
    await clock.advance(1_000)
    media.updateStream('session', 'a', { hasAudio: true, hasVideo: true })
    await clock.advance(1_000)
    media.updateStream('session', 'a', { hasAudio: false })
    await clock.advance(1_000)
    await recorder.finish()
    const { timecodes, audio } = await unpack()
    expect(await timecodes('a', 0)).toEqual([...Array(30).fill('black'), ...run(30, 90)])
    expect(beepOnsets(await audio('a'), 0)).toEqual([expect.closeTo(1.5, 1)])
  })

  it('has the tracks of both the archive and the stream, and no file if there are none', async () => {
    const { media, clock, unpack } = await openRecording()
    media.publish(stream('both'))
    media.publish(stream('voice', { hasVideo: false }))
    media.publish(stream('picture', { hasAudio: false }))
    const kinds = async (wanted: { hasAudio: boolean; hasVideo: boolean }) => {
      const recorder = await media.startIndividualArchive(archive(wanted))
      await clock.advance(200)
      await recorder.finish()
      const { manifest, tracks } = await unpack()
      const found = manifest.files.map(async ({ streamId }) => {
        const { video, audio } = await tracks(streamId)
        return [streamId, video !== undefined, audio !== undefined]
      })
      return Promise.all(found)
    }
    expect(await kinds({ hasAudio: true, hasVideo: true })).toEqual([
      ['both', true, true],
      ['voice', false, true],
      ['picture', true, false],
    ])
    expect(await kinds({ hasAudio: true, hasVideo: false })).toEqual([
      ['both', false, true],
      ['voice', false, true],
    ])
    expect(await kinds({ hasAudio: false, hasVideo: true })).toEqual([
      ['both', true, false],
      ['picture', true, false],
    ])
  })

  it('records chosen streams only, from when they are first chosen', async () => {
    const { media, clock, unpack } = await openRecording()
    for (const id of ['a', 'b']) media.publish(stream(id))
    const recorder = await media.startIndividualArchive(archive({ streams: [] }))
    await clock.advance(500)
    recorder.setStreams([{ streamId: 'b', hasAudio: true, hasVideo: true }])
    await clock.advance(500)
    recorder.setStreams([])
    await clock.advance(500)
    recorder.setStreams([{ streamId: 'b', hasAudio: true, hasVideo: false }])
    await clock.advance(500)
    await recorder.finish()
    const { offsets, timecodes, audio } = await unpack()
    expect(offsets).toEqual([['b', 500, 2_000]])
    expect(await timecodes('b', 1)).toEqual([...run(15, 30), ...Array(30).fill('black')])
    expect(beepOnsets(await audio('b'), 1)).toEqual([expect.closeTo(0, 1), expect.closeTo(1, 1)])
  })

  it('records the pictures of at most 16 streams', async () => {
    const { media, clock, unpack } = await openRecording()
    for (let place = 0; place < 17; place++) media.publish(stream(`s${place}`))
    const recorder = await media.startIndividualArchive(archive())
    await clock.advance(100)
    await recorder.finish()
    const { manifest, tracks } = await unpack()
    expect(manifest.files).toHaveLength(17)
    expect([(await tracks('s15')).video?.frames, (await tracks('s16')).video]).toEqual([3, undefined])
    expect((await tracks('s16')).audio?.end).toBeCloseTo(0.1, 1)
  })

  it('is only a manifest without published streams', async () => {
    const { media, unpack } = await openRecording()
    const recorder = await media.startIndividualArchive(archive())
    await recorder.finish()
    const { files, manifest } = await unpack()
    expect([...files.keys()]).toEqual(['archive.json'])
    expect(manifest.files).toEqual([])
  })

  it('keeps one frame of a stream when it was stopped at once', async () => {
    const { media, unpack } = await openRecording()
    media.publish(stream('a'))
    await (await media.startIndividualArchive(archive())).finish()
    const { offsets, timecodes } = await unpack()
    expect(offsets).toEqual([['a', 0, 33]])
    expect(await timecodes('a', 0)).toEqual(run(0, 1))
  })

  it('is the same bytes each time', async () => {
    const hashes: string[] = []
    for (let turn = 0; turn < 2; turn++) {
      const { media, clock } = await openRecording()
      media.publish(stream('a'))
      const recorder = await media.startIndividualArchive(archive())
      await clock.advance(700)
      media.publish(stream('b'))
      await clock.advance(1_333)
      hashes.push((await recorder.finish()).sha256)
    }
    expect(hashes[1]).toBe(hashes[0])
  })

  it('leaves nothing behind when it is discarded, or running at the close', async () => {
    const { media, clock, directory } = await openRecording()
    media.publish(stream('a'))
    const discarded = await media.startIndividualArchive(archive({ id: 'discarded' }))
    await media.startIndividualArchive(archive({ id: 'running' }))
    await clock.advance(300)
    media.unpublish('session', 'a')
    await clock.advance(300)
    await discarded.discard()
    await media.close()
    expect(await readdir(directory)).toEqual([])
  })

  it('fails when the encoder of one stream dies, and leaves nothing behind', async () => {
    const { path, pidOf } = await writeKnownFfmpeg(await findFfmpeg())
    const { media, clock, directory } = await openRecording({ ffmpegPath: path })
    for (const id of ['a', 'b']) media.publish(stream(id))
    const recorder = await media.startIndividualArchive(archive())
    const failure = new Promise<Error>((resolve) => recorder.onFailure(resolve))
    await clock.advance(300)
    await media.caughtUp()
    process.kill(await pidOf('b.webm'), 'SIGKILL')
    expect((await failure).message).toMatch(/^ffmpeg was killed by SIGKILL/)
    await expect(recorder.finish()).rejects.toThrow('SIGKILL')
    await recorder.discard()
    expect(await readdir(directory)).toEqual([])
  })

  it('fails alone when it cannot be packed', async () => {
    const { media, clock, directory } = await openRecording()
    media.publish(stream('a'))
    const recorder = await media.startIndividualArchive(archive())
    const other = await media.startIndividualArchive(archive({ id: 'other' }))
    await clock.advance(200)
    await mkdir(join(directory, 'archive.zip'))
    await expect(recorder.finish()).rejects.toThrow('could not be packed')
    expect((await other.finish()).seconds).toBe(0.2)
  })

  it('refuses invalid calls', async () => {
    const { media } = await openRecording()
    await expect(media.startIndividualArchive(archive({ id: '../x' }))).rejects.toThrow('cannot be a file name')
    const nothing = { hasAudio: false, hasVideo: false }
    await expect(media.startIndividualArchive(archive(nothing))).rejects.toThrow('needs audio or pictures')
    const recorder = await media.startIndividualArchive(archive())
    expect(() => recorder.setLayout({ type: 'pip' })).toThrow('has no layout')
  })
})
