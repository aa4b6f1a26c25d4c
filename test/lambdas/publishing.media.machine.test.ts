import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../lib/show/document/show.ts'
import { keys } from '../../lib/show/state/keys.ts'
import { ladder } from '../../lib/tasks/rendition.ts'
import { aac, h264, picture, tone, useClips } from '../lib/media/clips.ts'
import { packArchive, webm } from '../lib/media/individual/archives.ts'
import { isCall, refusing } from '../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../support/world.ts'
import { bringLive, run, settled } from './run.ts'

const clips = useClips()
let movie: Buffer
let audio: Buffer
let world: World
beforeAll(async () => {
  movie = await readFile(await clips.make('movie.mp4', ...picture(2), ...tone(2), ...h264, ...aac))
  audio = await readFile(await clips.make('audio.mp4', ...tone(2), ...aac))
})
beforeEach(() => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
})
afterEach(() => world.close())

/** An archive that the platform knows, and another file in its place. */
async function arrive(bytes: Buffer, changes: Partial<ShowDocument> = {}) {
  const { recordings, sessionId } = await bringLive(world, { ...webinar, ...changes })
  await world.clock.advance(2_000)
  await run(world, 'stopShow', { showId: 'a-show', sessionId, reason: 'It ended.', failure: null })
  await settled(world)
  const archiveId = recordings[0]?.archiveId ?? ''
  return put(keys.archive(world.platform.apiKey, archiveId), archiveId, bytes)
}

async function put(key: string, archiveId: string, bytes: Buffer) {
  await world.services.storage.put(key, bytes, 'video/mp4')
  return { archiveId, arrival: { bucket: 'media', key, etag: createHash('md5').update(bytes).digest('hex') } }
}

describe('inspectRecording', () => {
  it('reports what the file holds, what the platform says, and where they differ', async () => {
    const { arrival, archiveId } = await arrive(movie)
    const { record, differences, ...found } = await run(world, 'inspectRecording', arrival)
    expect(found).toEqual({
      archiveId,
      size: movie.length,
      show: { showId: 'a-show', name: 'program', part: 1 },
      formats: ['poster', 'faststart', 'hls', 'thumbnails', 'audio', 'chapters'], // none of the ladder is smaller
      streams: [],
      pieces: [{ index: 0, start: 0, end: expect.closeTo(2, 1) }],
      ladder: ladder.parse(undefined),
      access: 'signed',
      keepDays: null,
      facts: {
        duration: expect.closeTo(2, 1),
        video: { codec: 'h264', width: 320, height: 240, frameRate: 30 },
        audio: { codec: 'aac', sampleRate: 48_000, channels: 1 },
      },
    })
    expect(Object.keys(record ?? {})).toEqual(expect.arrayContaining(['createdAt', 'duration', 'size', 'status']))
    expect(differences).toEqual([
      `It has ${movie.length} bytes; the platform recorded ${record?.size}.`,
      'Its picture is 320x240; the platform recorded 1280x720.',
    ])
  })

  it('finds no difference where there is none', async () => {
    const { arrival } = await arrive(movie)
    world.interceptors.platform = async (_request, pass) => {
      const archive = (await (await pass()).json()) as object
      return Response.json({ ...archive, size: movie.length, resolution: undefined })
    }
    expect((await run(world, 'inspectRecording', arrival)).differences).toEqual([])
  })

  it('notices a stream that is missing and a duration that is another', async () => {
    const { arrival } = await arrive(audio)
    world.interceptors.platform = async (_request, pass) => {
      const archive = (await (await pass()).json()) as object
      return Response.json({ ...archive, size: audio.length, duration: 9 })
    }
    const { facts, differences } = await run(world, 'inspectRecording', arrival)
    expect(facts?.video).toBeNull()
    expect(differences).toEqual([
      `It lasts ${facts?.duration.toFixed(2)} s; the platform recorded 9 s.`,
      'It has no video; the platform recorded video.',
    ])
  })

  it('serves an archive that the platform does not know', async () => {
    const archiveId = '00000000-0000-4000-8000-000000000000'
    const { arrival } = await put(keys.archive('1', archiveId), archiveId, movie)
    const inspected = await run(world, 'inspectRecording', arrival)
    expect(inspected).not.toHaveProperty('record')
    expect(inspected.differences).toEqual(['The platform does not know this archive.'])
  })

  it('takes no failure of the platform for that', async () => {
    const { arrival } = await arrive(movie)
    world.interceptors.platform = refusing(isCall('GET', /archive/), 503)
    await expect(run(world, 'inspectRecording', arrival)).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
  })

  it('refuses a file that is not a recording', async () => {
    const { arrival } = await arrive(Buffer.from('no recording at all'))
    await expect(run(world, 'inspectRecording', arrival)).rejects.toMatchObject({ name: 'MediaError' })
  })

  it('returns the formats that the show requests', async () => {
    const { arrival } = await arrive(movie, { publish: { formats: [], access: 'public', keepDays: 14 } })
    expect(await run(world, 'inspectRecording', arrival)).toMatchObject({
      formats: [],
      access: 'public',
      keepDays: 14,
    })
  })

  it('returns the markers of the show at their times of the recording', async () => {
    const cues = [
      { at: 9, marker: 'Late' },
      { at: 1, marker: 'Talk', recording: 'program' },
    ]
    const { arrival } = await arrive(movie, { cues })
    const { liveAt = '' } = await world.services.shows.state('a-show')
    const requested = { id: 'one', at: new Date(Date.parse(liveAt) + 4_000).toISOString(), title: 'Questions' }
    await world.services.records.updateState('a-show', (state) => ({ ...state, markers: [requested] }))
    const { record, markers } = await run(world, 'inspectRecording', arrival)
    const began = (Date.parse(record?.createdAt ?? '') - Date.parse(liveAt)) / 1000
    expect(markers).toEqual([
      { at: 1 - began, title: 'Talk' },
      { at: 4 - began, title: 'Questions' },
      { at: 9 - began, title: 'Late' },
    ])
  })

  it('gives an archive of no show, or with the tag of another app, what is made by default', async () => {
    const { arrival } = await arrive(movie, { publish: { formats: [], access: 'public' } })
    const defaults = {
      show: null,
      formats: expect.arrayContaining(['poster', 'hls']),
      access: 'signed',
      keepDays: null,
    }
    for (const tag of ['another/program/1', 'a-show/other/1', 'a-show']) {
      world.interceptors.platform = async (_request, pass) =>
        Response.json({ ...((await (await pass()).json()) as object), multiArchiveTag: tag, name: tag })
      expect(await run(world, 'inspectRecording', arrival)).toMatchObject(defaults)
    }
  })

  it('lists the streams of an individual archive, and makes no format that was not requested', async () => {
    const archiveId = '00000000-0000-4000-8000-000000000000'
    const path = await clips.make('stream.webm', ...picture(2), ...tone(2), ...webm)
    const zip = await packArchive([{ streamId: 'one', path, start: 1, stop: 3 }])
    const { arrival } = await put(`1/${archiveId}/archive.zip`, archiveId, zip)
    const streams = [
      { streamId: 'one', file: 'one.webm', start: 1, stop: 3, videoType: 'camera', hasVideo: true, hasAudio: true },
    ]
    expect(await run(world, 'inspectRecording', arrival)).toMatchObject({
      ...{ size: zip.length, facts: null, streams, formats: [], pieces: [] },
      differences: ['The platform does not know this archive.'],
    })
    expect(await run(world, 'inspectRecording', { ...arrival, formats: ['composite', 'poster'] })).toMatchObject({
      ...{ formats: ['composite', 'poster'], pieces: [{ index: 0, start: 0, end: 3 }] },
    })
  })

  it('composes nothing of an individual archive that is shorter than a frame', async () => {
    const archiveId = '00000000-0000-4000-8000-000000000000'
    const path = await clips.make('stream.webm', ...picture(2), ...tone(2), ...webm)
    const zip = await packArchive([{ streamId: 'one', path, start: 0, stop: 0.01 }])
    const { arrival } = await put(`1/${archiveId}/archive.zip`, archiveId, zip)
    expect(await run(world, 'inspectRecording', { ...arrival, formats: ['composite', 'poster'] })).toMatchObject({
      ...{ formats: [], pieces: [] },
      differences: [
        'The platform does not know this archive.',
        'one.webm lasts 2.0 s, the manifest says 0.0 s.',
        'The individual archive is shorter than one frame, so it is not composed.',
      ],
    })
  })

  it('finds what was composed of single streams, as long as both are there', async () => {
    const archiveId = '00000000-0000-4000-8000-000000000000'
    const { storage, records } = world.services
    const path = await clips.make('stream.webm', ...picture(2), ...tone(2), ...webm)
    const zip = await packArchive([{ streamId: 'one', path, start: 1, stop: 3 }])
    const { arrival } = await put(`1/${archiveId}/archive.zip`, archiveId, zip)
    const key = keys.published(archiveId, 'composite', 'e', 'composite.mp4')
    const notComposed = {
      ...{ formats: [], pieces: [] },
      differences: [
        'The platform does not know this archive.',
        'An individual archive must be composed before other formats are made: request composite as well.',
      ],
    }
    const inspect = (...formats: ('composite' | 'poster')[]) => run(world, 'inspectRecording', { ...arrival, formats })
    expect(await inspect('poster')).toMatchObject(notComposed)

    const composed = async (etag: string) => {
      await storage.put(key, movie, 'video/mp4')
      const files = [{ role: 'composite' as const, key, size: movie.length, sha256: null }]
      const source = { key: arrival.key, etag, size: zip.length, sha256: null }
      const about = { version: 1 as const, archiveId, createdAt: START_TIME, status: 'complete' as const }
      const facts = { duration: null, video: null, audio: null }
      await records.writeManifest({ ...about, access: 'signed', source, ...facts, files }, async () => true)
    }
    await composed(arrival.etag)
    const { composite, formats, pieces } = await inspect('poster')
    expect({ composite, formats, pieces }).toEqual({
      ...{ composite: { key, etag: await storage.etagOf(key) }, formats: ['poster'], pieces: [] },
    })
    expect(await inspect('composite', 'poster')).not.toHaveProperty('composite') // it is about to be made
    await storage.delete(key)
    expect(await inspect('poster')).toMatchObject(notComposed)
    await composed('of another zip')
    expect(await inspect('poster')).toMatchObject(notComposed)
  })

  it('inspects a composite like any MP4, without the platform’s record', async () => {
    const { archiveId } = await arrive(movie)
    const { arrival } = await put(`recordings/${archiveId}/composite/e/composite.mp4`, archiveId, movie)
    const inspected = await run(world, 'inspectRecording', { ...arrival, composed: archiveId, formats: ['poster'] })
    expect(inspected).toMatchObject({ archiveId, formats: ['poster'], differences: [], show: { name: 'program' } })
  })

  it('refuses an object that is not an archive', async () => {
    const input = { bucket: 'media', key: 'a/archive.mp4', etag: 'e' }
    await expect(run(world, 'inspectRecording', input)).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'a/archive.mp4 is not the key of an archive.',
    })
  })

  it('reads nothing of a file that has been replaced since it arrived', async () => {
    const { arrival, archiveId } = await arrive(movie)
    await put(arrival.key, archiveId, audio)
    await expect(run(world, 'inspectRecording', arrival)).rejects.toMatchObject({ name: 'StorageError' })
  })
})

describe('makePoster', () => {
  it('publishes a JPEG and says what it is', async () => {
    const { arrival, archiveId } = await arrive(movie)
    const { files } = await run(world, 'makePoster', { ...arrival, archiveId, keepDays: null })
    const key = expect.stringMatching(new RegExp(`^recordings/${archiveId}/poster/[0-9a-f]{12}/poster.jpg$`))
    expect(files).toEqual([{ role: 'poster', key, size: expect.any(Number), sha256: expect.any(String) }])
    expect(await world.services.storage.sizeOf(files[0]?.key ?? '')).toBe(files[0]?.size)
    expect((await run(world, 'makePoster', { ...arrival, archiveId, keepDays: null })).files).toEqual(files) // repeated
  })

  it('publishes none of a recording without video', async () => {
    const { arrival, archiveId } = await arrive(audio)
    expect(await run(world, 'makePoster', { ...arrival, archiveId, keepDays: null })).toMatchObject({ files: [] })
    expect((await world.services.storage.list('recordings/', { limit: 1 })).keys).toEqual([])
  })
})

describe('hashSource', () => {
  it('gives the SHA-256 of the file, and that of the copy that makeFaststart makes of it', async () => {
    const { arrival, archiveId } = await arrive(movie)
    const { files } = await run(world, 'makeFaststart', { ...arrival, archiveId, keepDays: null })
    const key = files[0]?.key ?? ''
    const copy = await world.services.storage.open(key, (await world.services.storage.etagOf(key)) ?? '')
    expect(await run(world, 'hashSource', arrival)).toEqual({
      sha256: createHash('sha256').update(movie).digest('hex'),
      faststartSha256: createHash('sha256')
        .update(await copy.read(0, copy.size))
        .digest('hex'),
    })
  })
})
