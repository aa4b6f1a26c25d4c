import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import type { LivePart } from '../../../../lib/media/hls/live/live-segment.ts'
import { createMemory } from '../../../../local/sandbox/archives/memory.ts'
import { createHlsRoutes } from '../../../../local/sandbox/broadcasts/hls.ts'
import { createHosts } from '../../../../local/sandbox/http/hosts.ts'
import { Refusal } from '../../../../local/sandbox/http/refusal.ts'
import { createLivePlaylists } from '../../../../local/sandbox/media/packaging/live-playlists.ts'
import type { BroadcastRecord } from '../../../../local/sandbox/state/records.ts'
import type { Store } from '../../../../local/sandbox/state/store.ts'
import { timelineOf } from '../../../lib/media/hls/live/timelines.ts'
import { expectValidPlaylist } from '../../../support/hls/expect-valid-playlist.ts'
import { openSession } from '../open-session.ts'

/** Broadcasts without media, and gives the broadcast a directory with one segment. */
async function openSegment() {
  const memory = createMemory()
  const directory = await mkdtemp(join(tmpdir(), 'segments-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const world = await openSession({ memory })
  await world.join(world.sessionId)
  const { body } = await world.call('startBroadcast', { sessionId: world.sessionId, outputs: { hls: {} } })
  memory.store.broadcasts.update(body.id, { directory } satisfies Partial<BroadcastRecord>)
  await writeFile(join(directory, 'media-0.m4s'), '0123456789')
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    world.sandbox.fetch(new Request(`http://localhost/broadcasts/${body.id}/media-0.m4s`, { method, headers }))
  return { get }
}

it('serves ranges of media files, as a CDN does', async () => {
  const { get } = await openSegment()
  const whole = await get()
  expect([whole.status, await whole.text(), whole.headers.get('accept-ranges')]).toEqual([200, '0123456789', 'bytes'])
  const part = await get({ range: 'bytes=2-4', 'if-range': whole.headers.get('etag') ?? '' })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10'])
  expect((await get({ range: 'bytes=10-' })).status).toBe(416)
  const head = await get({}, 'HEAD')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
})

/** Serves a broadcast with low latency that has two segments and two parts, under a stepped clock. */
function serveLowLatency() {
  const clock = createSteppedClock(0)
  const playlists = createLivePlaylists({ dvr: false, lowLatency: true }, clock)
  const parts = timelineOf(24)
    .segments.slice()
    .flatMap((segment) => segment.parts)
  const add = () => playlists.addPart(parts.shift() as LivePart)
  for (let index = 0; index < 14; index++) add()
  const store = { broadcasts: { get: () => ({ hls: { dvr: false } }) } } as unknown as Store
  const routes = createHlsRoutes(store, { played: async () => playlists }, createHosts())
  routes.onError((error, c) => c.body(null, error instanceof Refusal ? error.status : 500)) // as the router does
  const get = async (file: string, headers: Record<string, string> = {}) =>
    routes.request(`http://127.0.0.1/broadcasts/live/${file}`, { headers })
  return { clock, add, get }
}

describe('a playlist with low latency', () => {
  it('is held until it has the requested part, and kept by shared caches only', async () => {
    const { add, get } = serveLowLatency()
    const held = get('index.m3u8?_HLS_msn=2&_HLS_part=2', { 'accept-encoding': 'gzip' })
    add()
    const response = await held
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...{ 'content-encoding': 'gzip', 'cache-control': 'public, max-age=0, s-maxage=12' },
      'content-type': 'application/vnd.apple.mpegurl',
    })
    const playlist = expectValidPlaylist(gunzipSync(await response.arrayBuffer()).toString())
    expect(playlist.openParts).toHaveLength(3)
    const plain = await get('index.m3u8')
    expect([plain.headers.get('content-encoding'), plain.headers.get('cache-control')]).toEqual([
      null,
      'public, max-age=1',
    ])
    expect(plain.headers.get('vary')).toContain('accept-encoding')
    expect(await plain.text()).toBe(playlist.text)
  })

  it('is answered with 503 after three target durations without the part, and never unchanged', async () => {
    const { clock, get } = serveLowLatency()
    const held = get('index.m3u8?_HLS_msn=2&_HLS_part=2')
    await new Promise(setImmediate) // the request is routed
    await clock.advance(5_999)
    expect(clock.nextDue()).toBe(6_000)
    await clock.advance(1)
    expect((await held).status).toBe(503)
    expect(clock.nextDue()).toBeUndefined()
  })

  it.each(['_HLS_msn=4', '_HLS_msn=2&_HLS_part=10', '_HLS_part=1', '_HLS_msn=two'])(
    'refuses %s with 400',
    async (query) => {
      expect((await serveLowLatency().get(`index.m3u8?${query}`)).status).toBe(400)
    },
  )

  it('has no playlist with DVR', async () => {
    expect((await serveLowLatency().get('dvr.m3u8')).status).toBe(404)
  })
})
