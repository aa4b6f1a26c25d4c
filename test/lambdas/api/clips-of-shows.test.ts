import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler as watch } from '../../../lambdas/watch/watch.ts'
import { writeLivePlaylist } from '../../../lib/media/hls/live/live-playlist.ts'
import { timelineOf } from '../../lib/media/hls/live/timelines.ts'
import { expectValidPlaylist } from '../../support/hls/expect-valid-playlist.ts'
import { invoke, openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { bringLive, type Call, call } from './call.ts'

/** Milliseconds for which the show has been live. */
const LIVE = 90_500
const PATH = '/shows/a-show/clips'

let world: World
let executions: { clip: { archiveId: string; clipId: string } }[]
let playlists: Record<string, string | undefined>
let broadcastId: string
beforeEach(async () => {
  world = openWorld()
  executions = []
  world.machines.publish = async (input) => {
    executions.push(input as never)
    return {}
  }
  world.interceptors.platform = async (request, pass) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/b/')) return pass()
    const playlist = playlists[pathname.slice(3)]
    return playlist === undefined ? new Response('', { status: 404 }) : new Response(playlist)
  }
  const show = { ...webinar, duration: 3_600, publish: { keepDays: 30 } } as const
  const { broadcasts } = await bringLive(world, show)
  broadcastId = broadcasts.get('live') ?? ''
  await world.services.records.updateState('a-show', (state) => ({
    ...state,
    markers: [10, 80].map((at) => ({ id: `m${at}`, at: timeAt(at), title: 'Talk' })),
    broadcasts: state.broadcasts.map((one) => ({ ...one, hls: 'http://localhost/b/index.m3u8?DVR' })),
  }))
  await world.clock.advance(LIVE)
  playlists = { 'index.m3u8': dvr(45) }
})
afterEach(() => world.close())

const timeAt = (seconds: number) => new Date(Date.parse(START_TIME) + seconds * 1000).toISOString()
/** Writes the playlist of a broadcast that has these segments of 2 s since the start of the show. */
const dvr = (segments: number) => {
  const shift = Date.parse(START_TIME) - Date.parse('2026-11-23T09:00:00Z')
  const playlist = writeLivePlaylist(timelineOf(6 * segments), { kind: 'event', lowLatency: false })
  return playlist.replace(/(?<=DATE-TIME:).*/g, (time) => new Date(Date.parse(time) + shift).toISOString())
}
const create = (body: object, options: Call = {}) =>
  call(world, `POST ${PATH}`, { body: { name: 'Demo', ...body }, ...options })
const spanOf = async (body: object) => {
  const { status, body: answer } = await create(body)
  return status === 202 ? [answer.from, answer.to] : answer.problems
}
async function get(address: string) {
  const { pathname, searchParams } = new URL(address, 'https://api.example.com')
  const [, , archiveId = '', , clipId = ''] = pathname.split('/')
  return (await invoke(watch, world.services, {
    ...{ version: '2.0', rawPath: pathname, headers: {}, pathParameters: { archiveId, clipId } },
    queryStringParameters: Object.fromEntries(searchParams),
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path: pathname } },
  })) as { statusCode: number; body: string; headers: Record<string, string> }
}

describe('POST /shows/{id}/clips', () => {
  it('answers with links at once, and has the MP4 cut', async () => {
    const { status, body, headers } = await create({ from: 20.5, to: 30 })
    const about = { showId: 'a-show', broadcast: 'live', name: 'Demo', from: 20.5, to: 30, status: 'cutting' }
    expect([status, body]).toMatchObject([202, { ...about, createdBy: 'app' }])
    expect(headers.location).toBe(`${PATH}/${body.clipId}`)
    await expect.poll(() => executions).toMatchObject([{ clip: { archiveId: broadcastId, clipId: body.clipId } }])
    expect((await call(world, `GET ${PATH}`)).body.items).toMatchObject([about])
    const playlist = (await get(body.hls.url)).body
    expectValidPlaylist(playlist)
    expect(playlist).toContain('#EXT-X-START:TIME-OFFSET=0.500')
    expect(playlist.match(/http:\/\/localhost\/b\/segment-\d+/g)?.map((uri) => Number(uri.slice(-5)))).toEqual([
      10, 11, 12, 13, 14, 15,
    ])
  })

  it('reads bounds as seconds, times, now, the last seconds, and the last marker', async () => {
    expect(await spanOf({ from: 10 })).toEqual([10, 89.9])
    expect(await spanOf({ from: timeAt(20), to: timeAt(50.25).replace('Z', '+00:00') })).toEqual([20, 50.25])
    expect(await spanOf({ last: 60 })).toEqual([29.9, 89.9])
    expect(await spanOf({ from: 'last marker' })).toEqual([80, 89.9])
    playlists = { 'index.m3u8': dvr(45).replace(/(?:#EXT-X-PROG.*\n|#EXTINF.*\n)+segment-0000\d\.m4s\n/g, '') }
    expect(await spanOf({ from: 10 })).toMatchObject([{ path: 'from', message: expect.stringContaining('is kept') }])
    expect(await spanOf({ last: 600 })).toEqual([20, 89.9])
  })

  it('refuses bounds outside the broadcast, and orders that are not one', async () => {
    for (const [body, problem] of [
      [
        { from: 5, to: 95 },
        { path: 'to', message: 'must not be in the future' },
      ],
      [
        { from: 5, to: 5.2 },
        { path: 'to', message: 'must be at least 0.5 s after from' },
      ],
      [
        { last: 5, to: 9 },
        { path: 'to', message: 'is not allowed with last' },
      ],
      [
        { last: 5, broadcast: 'none' },
        { path: 'broadcast', message: 'names no broadcast with hls that runs' },
      ],
      [{}, { message: 'needs either from or last' }],
    ] as const)
      expect(await spanOf(body)).toMatchObject([problem])
  })

  it('keeps the renditions of a broadcast, and cuts its largest with its audio', async () => {
    const master = `#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="audio",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.42c01e,mp4a.40.2",AUDIO="a"\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.42c01f,mp4a.40.2",AUDIO="a"\nhigh.m3u8\n`
    playlists = { 'index.m3u8': master, 'a.m3u8': dvr(45), 'low.m3u8': dvr(45), 'high.m3u8': dvr(44) }
    const { body } = await create({ from: 10 })
    expect(body.to).toBe(87.9)
    const stored = (await get(body.hls.url)).body
    expectValidPlaylist(stored)
    const media = [...stored.matchAll(/(?:^|")(\/watch\/[^"\n]*)/gm)].map(([, path = '']) => path)
    expect(media).toHaveLength(3)
    for (const path of media) expectValidPlaylist((await get(path)).body)
  })

  it('makes one clip under one key', async () => {
    const [first, second] = [await create({ last: 10 }, { key: 'one' }), await create({ last: 10 }, { key: 'one' })]
    expect(second.body.clipId).toBe(first.body.clipId)
    expect((await create({ name: 'Another', last: 10 }, { key: 'one' })).body.code).toBe('idempotency-key-reused')
    expect((await call(world, `GET ${PATH}`)).body.items).toHaveLength(1)
  })

  it('refuses a broadcast that cannot be read without a recording, and a show that is not live', async () => {
    playlists = {}
    await world.services.records.updateState('a-show', (state) => ({ ...state, recordings: [] }))
    expect((await create({ last: 5 })).body.code).toBe('broadcast-not-readable')
    await world.services.records.updateState('a-show', (state) => ({ ...state, status: 'ending' }))
    expect((await create({ last: 5 })).body.code).toBe('wrong-show-state')
    expect((await call(world, 'POST /shows/none/clips', { body: { name: 'Demo', last: 5 } })).status).toBe(404)
  })
})

describe('DELETE /shows/{id}/clips/{clipId}', () => {
  it('deletes a clip with its playlists', async () => {
    const { body } = await create({ last: 10 })
    await expect.poll(() => executions.length).toBe(1)
    await expect.poll(async () => (await call(world, `DELETE ${PATH}/${body.clipId}`)).status).toBe(200)
    expect((await call(world, `GET ${PATH}/${body.clipId}`)).body.code).toBe('unknown-clip')
    expect((await get(body.hls.url)).statusCode).toBe(404)
    const { keys } = await world.services.storage.list(`recordings/${broadcastId}/`, { limit: 9 })
    expect(keys).toEqual([])
  })
})
