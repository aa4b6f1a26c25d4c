import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keys } from '../../../lib/show/state/keys.ts'
import { expectValidPlaylist } from '../../support/hls/expect-valid-playlist.ts'
import { isCall, refusing } from '../../support/world/interceptors.ts'
import { START_TIME, type World, webinar } from '../../support/world.ts'
import { call } from '../api/call.ts'
import { bringLive } from '../run.ts'
import {
  archiveId,
  ETAG,
  failure,
  files,
  hashes,
  inspection,
  key,
  NAME,
  openManifestWriting,
  SOURCE,
} from './manifest-writing.ts'

type Writing = Awaited<ReturnType<typeof openManifestWriting>>
let world: World
let write: Writing['write']
let put: Writing['put']
beforeEach(async () => {
  ;({ world, write, put } = await openManifestWriting())
})
afterEach(() => world.close())

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
    expect(world.ownerEvents).toMatchObject([
      {
        'detail-type': 'recording.published',
        detail: { id: `${archiveId}/recording.published/${NAME}/complete`, archiveId, status: 'complete' },
      },
    ])
  })

  it('does not publish a deleted recording again, whose file is still there', async () => {
    world.keepVersions()
    await write()
    const stopAtSource = isCall('DELETE', new RegExp(key))
    world.interceptors.aws = async (request, pass) =>
      stopAtSource(request) ? new Response('', { status: 500 }) : pass()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect((await call(world, `DELETE /recordings/${archiveId}`)).status).toBe(500)
    expect(await world.services.storage.etagOf(key)).toBe(ETAG)
    expect(await write({ executionName: 'late' })).toEqual({ archiveId, status: 'replaced' })
    expect([await manifest(), await listed()]).toEqual([undefined, []])
    expect(world.ownerEvents).toHaveLength(1)
  })

  it('says where the file differs from the platform’s record', async () => {
    const differences = ['It has 9 bytes; the platform recorded 8.', 'It has no audio; the platform recorded audio.']
    expect((await write({ inspection: { ...inspection, differences } })).message).toBe(differences.join(' '))
  })

  it('says that the file is not the one whose hash the platform knows', async () => {
    const recorded = (bytes: string) => ({
      ...inspection.record,
      sha256sum: Buffer.from(bytes, 'hex').toString('base64'),
    })
    expect((await write({ inspection: { ...inspection, record: recorded('bb') } })).message).toBeUndefined()
    const { message } = await write({ inspection: { ...inspection, record: recorded('cc') } })
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
    expectValidPlaylist(text ?? '')
    expectValidPlaylist((await world.services.storage.readText(playlist?.key ?? '')) ?? '')
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
    expect(world.ownerEvents.map(({ detail }) => (detail as { status: string }).status)).toEqual(['ready', 'complete'])
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

  it('writes nothing of a file that has been replaced, be it good or bad', async () => {
    const [older, newer] = [await put('older'), await put('newer')]
    expect(await write({ etag: newer })).toMatchObject({ status: 'complete' })
    expect(await write({ etag: older, inspection: null, failure })).toEqual({ archiveId, status: 'replaced' })
    expect(await write({ etag: older, hashes: { ...hashes, sha256: 'of the older' } })).toEqual({
      archiveId,
      status: 'replaced',
    })
    expect(await manifest()).toMatchObject({ status: 'complete', source: { sha256: 'bb' } })
    expect(world.ownerEvents).toHaveLength(1)
  })

  it('brings nothing back of a recording whose file was deleted', async () => {
    await world.services.storage.delete(key)
    expect(await write({ inspection: null, hashes: null, files: [], failure })).toEqual({
      archiveId,
      status: 'replaced',
    })
    expect([await manifest(), await listed(), world.ownerEvents]).toEqual([undefined, [], []])
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

  it('finds the show of what could not be inspected, and does without in its last attempt', async () => {
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
    await expect(write({ ...broken, key, retryCount: 5 })).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect(await manifest()).toBeUndefined()
    await write({ ...broken, key, retryCount: 6 })
    expect(await manifest()).toMatchObject({ status: 'failed', access: 'signed' })
  })

  it('keeps the show, the access and the days of an earlier manifest where the platform cannot be asked', async () => {
    const show = { showId: 'a-show', name: 'program', part: 2 }
    const etag = await put(SOURCE)
    await write({ etag, inspection: { ...inspection, show, access: 'public', keepDays: 30 } })
    world.interceptors.platform = refusing(isCall('GET', /archive/), 503)
    const broken = { etag, executionName: 'rebuild', inspection: null, hashes: null, files: [], failure }
    await write({ ...broken, retryCount: 6 })
    expect(await manifest()).toMatchObject({ status: 'complete', show, access: 'public', keepDays: 30 })
    expect(world.ownerEvents.at(-1)?.detail).toMatchObject({ status: 'failed', showId: 'a-show', name: 'program' })
  })

  it('repeats the page of the show, which is titled by its name', async () => {
    const page = { description: 'Two talks', cover: 'https://example.com/cover.jpg', accentColor: '#1a73e8' }
    const { recordings } = await bringLive(world, { ...webinar, page })
    const id = recordings[0]?.archiveId ?? ''
    const ofShow = keys.archive(world.platform.apiKey, id)
    await put(SOURCE, ofShow)
    const show = { showId: 'a-show', name: 'program', part: 1 }
    await write({ key: ofShow, files: [], inspection: { ...inspection, archiveId: id, show } })
    expect((await world.services.records.readManifest(id))?.page).toEqual({ title: webinar.name, ...page })
  })

  it('refuses a key that is none of an archive', async () => {
    await expect(write({ key: 'uploads/archive.mp4' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'uploads/archive.mp4 is not the key of an archive.',
    })
  })
})
