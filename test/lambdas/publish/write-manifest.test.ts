import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { publishExecutionName, rebuildExecutionName } from '../../../lib/show/document/fields/names.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { isCall, openWorld, refusing, START_TIME, type World, webinar } from '../../support/world.ts'
import { bringLive, run } from '../run.ts'

let world: World
beforeEach(async () => {
  world = openWorld()
  await put(SOURCE)
})
afterEach(() => world.close())

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const key = `100001/${archiveId}/archive.mp4`
const inspection = {
  archiveId,
  size: 9,
  facts: { duration: 20.02, video: { codec: 'h264', width: 640, height: 480, frameRate: 30 }, audio: null },
  record: { status: 'uploaded' as const, size: 9, duration: 20, createdAt: '2026-11-20T08:00:00.000Z' },
  show: null,
  formats: ['poster' as const],
  pieces: [],
  streams: [],
  ladder: [],
  access: 'signed' as const,
  keepDays: null as number | null,
  differences: [] as string[],
}
const SOURCE = 'the file'
const ETAG = createHash('md5').update(SOURCE).digest('hex')
const NAME = publishExecutionName(archiveId, ETAG)
const files = [{ role: 'poster' as const, key: `recordings/${archiveId}/poster.jpg`, size: 5, sha256: 'aa' }]
const hashes = { sha256: 'bb', faststartSha256: 'cc' }
const failure = { Error: 'MediaError', Cause: '{"errorMessage":"The file is cut off."}' }

type Input = Parameters<typeof run<'writeManifest'>>[2]
const write = (changes: Partial<Input> = {}) =>
  run(world, 'writeManifest', {
    bucket: 'media',
    key,
    etag: ETAG,
    executionName: NAME,
    stage: 'complete',
    inspection,
    hashes,
    loudness: null,
    files,
    missing: [],
    ffmpeg: '5.1',
    failure: null,
    ...changes,
  })
/** Puts the source where it belongs, and gives its ETag as events do. */
async function put(body: string, at = key) {
  await world.services.storage.put(at, body, 'video/mp4')
  return createHash('md5').update(body).digest('hex')
}
const manifest = () => world.services.records.readManifest(archiveId)
const listed = async () => (await world.services.records.listRecordings({ limit: 10 })).items

describe('writeManifest', () => {
  it('publishes a recording with its facts, and notifies the owner', async () => {
    expect(await write()).toEqual({ archiveId, status: 'complete' })
    expect(await manifest()).toEqual({
      version: 1,
      archiveId,
      createdAt: '2026-11-20T08:00:00.000Z',
      status: 'complete',
      access: 'signed',
      source: { key, etag: ETAG, size: 9, sha256: 'bb' },
      ...inspection.facts,
      tools: { ffmpeg: '5.1', showrunner: '0.1.0' },
      publications: [{ executionName: NAME, status: 'complete', at: START_TIME }],
      files,
    })
    expect(world.told).toMatchObject([
      {
        'detail-type': 'recording.published',
        detail: { id: `${archiveId}/recording.published/${NAME}/complete`, archiveId, status: 'complete' },
      },
    ])
  })

  it('says where the file differs from the platform’s record', async () => {
    const differences = ['It has 9 bytes; the platform recorded 8.', 'It has no audio; the platform recorded audio.']
    expect((await write({ inspection: { ...inspection, differences } })).message).toBe(differences.join(' '))
  })

  it('says that the file is not the one whose hash the platform knows', async () => {
    const told = (bytes: string) => ({ ...inspection.record, sha256sum: Buffer.from(bytes, 'hex').toString('base64') })
    expect((await write({ inspection: { ...inspection, record: told('bb') } })).message).toBeUndefined()
    const { message } = await write({ inspection: { ...inspection, record: told('cc') } })
    expect(message).toBe('Its SHA-256 differs from the platform’s record.')
  })

  it('loses nothing of what another execution publishes at the same time', async () => {
    const track = { role: 'audio' as const, key: `recordings/${archiveId}/audio/e/audio.m4a`, size: 4, sha256: 'dd' }
    let isFirst = true
    world.interceptors.aws = async (request, pass) => {
      if (isFirst && isCall('PUT', /manifest/)(request)) {
        isFirst = false
        await write({ inspection: { ...inspection, formats: ['audio'] }, files: [track] })
      }
      return pass()
    }
    await write()
    expect((await manifest())?.files).toEqual([track, ...files])
  })

  it('carries captions into playlists that are made again', async () => {
    const folder = `recordings/${archiveId}`
    const captions = { role: 'captions' as const, key: `${folder}/captions/c/de.vtt`, size: 7, sha256: 'ee' }
    const list = (edition: string) => ({
      ...{ role: 'hls' as const, size: 9, sha256: 'ff' },
      key: `${folder}/playlists/${edition}/master.m3u8`,
    })
    const publishHls = async (edition: string) => {
      await world.services.storage.put(
        list(edition).key,
        '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nvideo.m3u8\n',
        'text/plain',
      )
      await write({ inspection: { ...inspection, formats: ['hls'] }, files: [list(edition)] })
      return (await manifest())?.files ?? []
    }
    await write({ inspection: { ...inspection, formats: [] }, files: [captions] })
    const [, playlist, master] = await publishHls('one')
    expect(playlist?.key).toMatch(/\/captions-de\.m3u8$/)
    const text = await world.services.storage.readText(master?.key ?? '')
    expect(text?.split('\n').slice(1, 4)).toEqual([
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions-de.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="subtitles"',
      '../one/video.m3u8',
    ])
    const again = await publishHls('two')
    expect(again.map(({ role }) => role)).toEqual(['captions', 'hls-media', 'hls'])
    expect(again[2]?.key).not.toBe(master?.key)
    expect(await publishHls('one')).toEqual([captions, playlist, master])
  })

  it('publishes nothing but the reason when publishing failed', async () => {
    const etag = await put('123456789')
    expect(await write({ etag, inspection: null, hashes: null, files: [], failure })).toEqual({
      archiveId,
      status: 'failed',
      message: 'The file is cut off.',
    })
    expect(await manifest()).toMatchObject({
      createdAt: START_TIME,
      source: { key, size: 9, sha256: null },
      duration: null,
      video: null,
      files: [],
    })
    expect(world.told).toMatchObject([{ detail: { status: 'failed' } }])
  })

  it('publishes first what can be watched, its hashes pending, and then all of it', async () => {
    const copy = {
      role: 'faststart' as const,
      key: `recordings/${archiveId}/faststart/e/recording.mp4`,
      size: 9,
      sha256: null,
    }
    await write({ stage: 'ready', hashes: null, files: [copy] })
    expect(await manifest()).toMatchObject({ status: 'ready', source: { sha256: null }, files: [copy] })
    await write({ inspection: { ...inspection, formats: ['poster', 'faststart'] }, files: [copy, ...files] })
    expect(await manifest()).toMatchObject({
      status: 'complete',
      source: { sha256: 'bb' },
      files: [{ ...copy, sha256: 'cc' }, ...files],
    })
    expect(world.told.map(({ detail }) => (detail as { status: string }).status)).toEqual(['ready', 'complete'])
  })

  it('keeps what could be watched already when the rest could not be made', async () => {
    await write({ stage: 'ready', hashes: null })
    expect(await write({ files: [], failure })).toMatchObject({ status: 'failed' })
    expect(await manifest()).toMatchObject({ status: 'failed', message: 'The file is cut off.', files })
    expect((await manifest())?.video).toEqual(inspection.facts.video)
  })

  it('keeps the formats that are not made once more', async () => {
    const track = { role: 'audio' as const, key: `recordings/${archiveId}/audio/e/audio.m4a`, size: 4, sha256: 'dd' }
    await write({ inspection: { ...inspection, formats: ['poster', 'audio'] }, files: [...files, track] })
    const [other] = files.map((file) => ({ ...file, key: `${file.key}-other` }))
    await write({ stage: 'ready', files: [other as (typeof files)[number]] })
    expect((await manifest())?.files).toEqual([...files, track]) // what was complete is replaced at once, in the end
    await write({ files: [other as (typeof files)[number]] })
    expect((await manifest())?.files).toEqual([track, other])
  })

  it('takes nothing away when making it once more fails, and says so', async () => {
    await write()
    expect(await write({ files: [], failure })).toMatchObject({ status: 'failed', message: 'The file is cut off.' })
    expect(await manifest()).toMatchObject({ status: 'complete', message: 'The file is cut off.', files })
  })

  const lost = (format: 'thumbnails' | 'audio') => ({ format, problem: `No ${format}: it is damaged.` })

  it('names the missing formats of a damaged recording, but none that was not requested', async () => {
    const wanted = { ...inspection, formats: ['poster' as const, 'thumbnails' as const], differences: ['It differs.'] }
    const message = 'It differs. No thumbnails: it is damaged.'
    expect(await write({ inspection: wanted, missing: [lost('thumbnails'), lost('audio')] })).toEqual({
      ...{ archiveId, status: 'complete', message },
    })
    expect(await manifest()).toMatchObject({ status: 'complete', message, missing: [lost('thumbnails')], files })
    expect(world.told).toMatchObject([{ detail: { status: 'complete', reason: message } }])
  })

  it('names a missing format until it is made', async () => {
    const thumbnails = { ...inspection, formats: ['thumbnails' as const] }
    const sprite = {
      role: 'sprite' as const,
      key: `recordings/${archiveId}/thumbnails/e/sprite.jpg`,
      size: 4,
      sha256: 'd',
    }
    await write({ inspection: thumbnails, files: [sprite] })
    await write({ inspection: thumbnails, files: [], missing: [lost('thumbnails')] })
    expect((await manifest())?.files).toEqual([sprite]) // what is there of it was once made of the same file
    await write()
    expect(await manifest()).toMatchObject({ message: lost('thumbnails').problem, missing: [lost('thumbnails')] })
    expect(await write({ files: [], failure })).toMatchObject({ message: 'The file is cut off.' })
    expect(await manifest()).toMatchObject({ missing: [lost('thumbnails')] })
    await write({ inspection: thumbnails, files: [sprite] })
    expect(await manifest()).not.toHaveProperty('missing')
  })

  it('replaces what was made of a format, although not all of it could be', async () => {
    const [poster] = files as [(typeof files)[number]]
    const track = (name: string) => ({ ...poster, role: 'audio' as const, key: `recordings/${archiveId}/${name}` })
    const audio = { ...inspection, formats: ['audio' as const] }
    await write({ inspection: audio, files: [track('before')] })
    await write({ inspection: audio, files: [track('after')], missing: [lost('audio')] })
    expect((await manifest())?.files).toEqual([track('after')])
  })

  it('keeps nothing of a file that another has replaced', async () => {
    await write()
    const etag = await put('another')
    await write({ etag, files: [] })
    expect(await manifest()).toMatchObject({ status: 'complete', source: { etag }, files: [] })
  })

  it('lists a recording once, also when it failed at first', async () => {
    await write({ inspection: null, hashes: null, files: [], failure })
    await world.clock.advance(60_000)
    await write()
    await world.clock.advance(60_000)
    await write()
    expect(await listed()).toEqual([archiveId])
    expect((await manifest())?.status).toBe('complete')
  })

  const show = { showId: 'a-show', name: 'program', part: 2 }
  const published = () => world.told.map(({ detail }) => detail)

  it('notifies of a repeated publish with another id, once for any number of attempts', async () => {
    const executionName = rebuildExecutionName(archiveId, 'another')
    await write()
    await write({ executionName })
    await write({ executionName })
    const ids = published().map((detail) => (detail as { id: string }).id)
    expect(ids).toEqual(
      [NAME, executionName, executionName].map((name) => `${archiveId}/recording.published/${name}/complete`),
    )
  })

  it('notifies the owner of the show with its labels and by its callback', async () => {
    const callback = { url: 'https://app.example.com/hook' }
    await world.accept({ ...webinar, labels: { course: 'a1' }, callback })
    await write({ inspection: { ...inspection, show } })
    expect(published()).toEqual([
      {
        id: `a-show/recording.published/program/2/${NAME}/complete`,
        event: 'recording.published',
        at: START_TIME,
        ...show,
        archiveId,
        status: 'complete',
        labels: { course: 'a1' },
        callback: true,
        stage: 'test',
      },
    ])
  })

  it('sends no callback when the show names none', async () => {
    await world.accept()
    await write({ inspection: { ...inspection, show } })
    await write()
    expect(published()).toMatchObject([{ ...show, callback: false }, { callback: false }])
    expect(published()[1]).not.toHaveProperty('showId')
  })

  it('notifies of a success after a failure with another event', async () => {
    await world.accept()
    await write({ inspection: { ...inspection, show }, failure })
    await write({ inspection: { ...inspection, show } })
    const subject = `a-show/recording.published/program/2/${NAME}`
    expect(published()).toMatchObject([
      { id: `${subject}/failed`, reason: 'The file is cut off.' },
      { id: `${subject}/complete` },
    ])
  })

  it('notifies with the same id when it is repeated', async () => {
    await write()
    await write()
    expect(world.told.map(({ detail }) => (detail as { id: string }).id)).toEqual([
      `${archiveId}/recording.published/${NAME}/complete`,
      `${archiveId}/recording.published/${NAME}/complete`,
    ])
  })

  it('writes nothing of a file that has been replaced, be it good or bad', async () => {
    const [older, newer] = [await put('older'), await put('newer')]
    expect(await write({ etag: newer })).toMatchObject({ status: 'complete' })
    expect(await write({ etag: older, inspection: null, failure })).toEqual({ archiveId, status: 'replaced' })
    expect(await write({ etag: older, hashes: { ...hashes, sha256: 'of the older' } })).toEqual({
      archiveId,
      status: 'replaced',
    })
    expect(await manifest()).toMatchObject({ status: 'complete', source: { sha256: 'bb' } })
    expect(world.told).toHaveLength(1)
  })

  it('brings nothing back of a recording whose file was deleted', async () => {
    await world.services.storage.delete(key)
    expect(await write({ inspection: null, hashes: null, files: [], failure })).toEqual({
      archiveId,
      status: 'replaced',
    })
    expect([await manifest(), await listed(), world.told]).toEqual([undefined, [], []])
  })

  it('yields to a newer publish between its read and its write', async () => {
    const older = await put('older')
    let isFirst = true
    world.interceptors.aws = async (request, pass) => {
      if (isFirst && isCall('PUT', /manifest/)(request)) {
        isFirst = false
        await write({ etag: await put('newer') })
      }
      return pass()
    }
    expect(await write({ etag: older, hashes: { ...hashes, sha256: 'of the older' } })).toEqual({
      archiveId,
      status: 'replaced',
    })
    expect((await manifest())?.source.sha256).toBe('bb')
  })

  it('says of which show it is, who may see it and how long it is kept, and marks every object with that', async () => {
    const tags = new Map<string, string>()
    world.interceptors.aws = async (request, pass) => {
      const { pathname, search } = new URL(request.url)
      const header = request.headers.get('x-amz-tagging')
      const tagged = search.startsWith('?tagging') ? await request.clone().text() : header
      if (tagged) tags.set(pathname.replace('/media/', ''), tagged)
      return pass()
    }
    const show = { showId: 'a-show', name: 'program', part: 2 }
    const etag = await put('123456789')
    await write({ etag, inspection: { ...inspection, show, access: 'public', keepDays: 30 } })
    expect(await manifest()).toMatchObject({ show, access: 'public', keepDays: 30 })
    const { keys: indexed } = await world.services.storage.list('index/recordings/', { limit: 1 })
    expect([...tags.keys()]).toEqual([keys.manifest(archiveId), ...indexed, key])
    expect(tags.get(keys.manifest(archiveId))).toBe('keepDays=30')
    expect(tags.get(key)).toContain('<Key>keepDays</Key><Value>30</Value>')
  })

  it('finds the show of what could not be inspected, and does without when the platform is silent', async () => {
    const { recordings } = await bringLive(world, { ...webinar, publish: { access: 'public', keepDays: 7 } })
    const id = recordings[0]?.archiveId ?? ''
    const broken = { key: keys.archive(world.platform.apiKey, id), inspection: null, hashes: null, files: [], failure }
    await put(SOURCE, broken.key)
    await write(broken)
    expect(await world.services.records.readManifest(id)).toMatchObject({
      show: { showId: 'a-show', name: 'program', part: 1 },
      access: 'public',
      keepDays: 7,
    })
    world.interceptors.platform = refusing(isCall('GET', /archive/), 503)
    await write({ ...broken, key })
    expect(await manifest()).toMatchObject({ status: 'failed', access: 'signed' })
  })

  it('refuses a key that is none of an archive', async () => {
    await expect(write({ key: 'uploads/archive.mp4' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'uploads/archive.mp4 is not the key of an archive.',
    })
  })
})
