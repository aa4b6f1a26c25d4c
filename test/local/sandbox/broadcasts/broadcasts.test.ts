import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keptEntry, keptHeader } from '../../../../lib/media/hls/live/kept-playlist.ts'
import { createMemory } from '../../../../local/sandbox/archives/memory.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { readPlaylist } from '../../../support/media/playlists.ts'
import { createMediaWitness } from '../media-witness.ts'
import { openSandbox, type WorldOptions } from '../open-sandbox.ts'
import { openSession } from '../open-session.ts'

const MINUTE = 60_000

async function openBroadcast(options: WorldOptions = {}, args: Record<string, unknown> = {}) {
  const world = openSandbox(options)
  const sessionId = await world.createSession()
  const ada = await world.join(sessionId)
  const { body: broadcast } = await world.call('startBroadcast', { sessionId, outputs: { hls: {} }, ...args })
  const read = async () => (await world.call('getBroadcast', { broadcastId: broadcast.id })).body
  return { ...world, sessionId, ada, broadcast, read }
}

/** Opens a sandbox whose broadcasts play files that the test writes into a directory. */
async function openHls() {
  const parent = await mkdtemp(join(tmpdir(), 'sandbox-hls-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const directory = join(parent, 'broadcast')
  await mkdir(directory)
  let playlist: string | undefined
  const failures: ((error: Error) => void)[] = []
  const media: WorldOptions['media'] = (clock) => ({
    ...createMediaOff(clock),
    startBroadcast: async () => ({
      directory,
      playlist: async () => playlist,
      stop: async () => {},
      setLayout() {},
      setStreams() {},
      onFailure: (listener) => failures.push(listener),
      onRtmp() {},
    }),
  })
  return {
    directory,
    media,
    grow: (text: string) => {
      playlist = text
    },
    fail: () => failures[0]?.(new Error('the encoder died')),
  }
}

describe('createBroadcasts', () => {
  it('shows a broadcast as requested, with defaults', async () => {
    const { broadcast, sessionId, apiKey, clock, read } = await openBroadcast({}, { multiBroadcastTag: 'live' })
    const shown = {
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      sessionId,
      projectId: Number(apiKey),
      partnerId: Number(apiKey),
      createdAt: clock.now(),
      updatedAt: clock.now(),
      resolution: '640x480',
      status: 'started',
      streamMode: 'auto',
      maxDuration: 14_400,
      multiBroadcastTag: 'live',
      broadcastUrls: {
        hls: `http://localhost/broadcasts/${broadcast.id}/index.m3u8`,
        hlsStatus: 'connecting',
      },
      settings: { hls: { dvr: false, lowLatency: false } },
    }
    expect(broadcast).toEqual(shown)
    expect(await read()).toEqual({ ...shown, broadcastUrls: { ...shown.broadcastUrls, hlsStatus: 'ready' } })
  })

  it('marks a broadcast with DVR in its URL', async () => {
    const { broadcast } = await openBroadcast({}, { outputs: { hls: { dvr: true } } })
    expect(broadcast.broadcastUrls.hls).toMatch(/index\.m3u8\?DVR$/)
    expect(broadcast.settings.hls.dvr).toBe(true)
  })

  it('accepts low latency', async () => {
    const { broadcast, read } = await openBroadcast({}, { outputs: { hls: { lowLatency: true } } })
    expect(broadcast.settings).toEqual({ hls: { dvr: false, lowLatency: true } })
    expect((await read()).settings).toEqual(broadcast.settings)
  })

  it.each([
    { resolution: '720x1280', layout: { type: 'pip' }, outputs: { hls: { dvr: true, lowLatency: false } } },
    { resolution: '1920x1080', layout: { type: 'bestFit' }, outputs: { hls: { dvr: false, lowLatency: true } } },
  ])('broadcasts as requested: %j', async ({ outputs, ...wanted }) => {
    const { media, about } = createMediaWitness()
    const { broadcast } = await openBroadcast({ media }, { outputs, ...wanted })
    expect(broadcast.resolution).toBe(wanted.resolution)
    expect(about(broadcast.id)).toMatchObject([{ what: 'startBroadcast', with: { ...wanted, ...outputs } }])
  })

  it('stops on request, and answers with times in seconds', async () => {
    const { call, clock, broadcast, read } = await openBroadcast()
    await clock.advance(MINUTE)
    const { body } = await call('stopBroadcast', { broadcastId: broadcast.id })
    expect(body).toMatchObject({ status: 'stopped', streams: [], broadcastUrls: null })
    expect([body.createdAt, body.updatedAt]).toEqual([broadcast.createdAt / 1000, broadcast.createdAt / 1000 + 60])
    const { createdAt } = broadcast
    expect(await read()).toMatchObject({ status: 'stopped', createdAt, updatedAt: createdAt, broadcastUrls: null })
    expect((await call('listBroadcasts')).body).toEqual({ count: 0, items: [] })
  })

  it('stops at its maximum duration', async () => {
    const { clock, read } = await openBroadcast({}, { maxDuration: 600 })
    await clock.advance(10 * MINUTE - 1)
    expect(await read()).toMatchObject({ status: 'started' })
    await clock.advance(1)
    expect(await read()).toMatchObject({ status: 'stopped' })
  })

  it('stops 60 s after the last client left', async () => {
    const { clock, ada, read } = await openBroadcast()
    await ada.leave()
    await clock.advance(MINUTE - 1)
    expect(await read()).toMatchObject({ status: 'started' })
    await clock.advance(1)
    expect(await read()).toMatchObject({ status: 'stopped' })
  })

  it('starts a second simultaneous broadcast only under another tag', async () => {
    const { call, sessionId } = await openBroadcast({}, { multiBroadcastTag: 'main' })
    const start = async (tag?: string) =>
      (await call('startBroadcast', { sessionId, outputs: { hls: {} }, multiBroadcastTag: tag })).status
    expect([await start(), await start('main'), await start('backup')]).toEqual([409, 409, 200])
    const list = (await call('listBroadcasts', { sessionId })).body
    expect(list.items.map((item: { multiBroadcastTag: string }) => item.multiBroadcastTag)).toEqual(['backup', 'main'])
  })

  it('changes the layout of a running broadcast', async () => {
    const { media, about } = createMediaWitness()
    const { call, clock, broadcast, read } = await openBroadcast({ media })
    await clock.advance(MINUTE)
    const layout = { type: 'verticalPresentation' }
    const change = () => call('setBroadcastLayout', { broadcastId: broadcast.id, ...layout })
    expect(await change()).toEqual({ status: 200, body: {} })
    expect(about(broadcast.id).at(-1)).toMatchObject({ what: 'setLayout', with: layout })
    const times = { createdAt: broadcast.createdAt, updatedAt: broadcast.createdAt }
    expect(await read()).toMatchObject(times)
    expect((await call('listBroadcasts')).body.items).toMatchObject([times])
    await call('stopBroadcast', { broadcastId: broadcast.id })
    expect(await change()).toMatchObject({ status: 404 })
  })

  it('announces its start, each change and its end', async () => {
    const { call, sessionId, join, callbacksOf, clock } = await openSession()
    const { streamId } = await join(sessionId)
    const start = { sessionId, outputs: { hls: {} }, streamMode: 'manual' }
    const broadcastId = (await call('startBroadcast', start)).body.id
    await clock.advance(MINUTE)
    await call('changeBroadcastStreams', { broadcastId, addStream: streamId })
    await call('setBroadcastLayout', { broadcastId, type: 'pip' })
    await call('stopBroadcast', { broadcastId })
    const streams = [{ streamId, hasAudio: true, hasVideo: true }]
    expect(await callbacksOf('broadcast', ['broadcast'])).toMatchObject([
      { id: broadcastId, status: 'started', streams: [] },
      { status: 'started', streams, updatedAt: clock.now() },
      { status: 'started', streams },
      { status: 'stopped', broadcastUrls: null },
    ])
  })

  it('is live once it has a segment, and playable after its end', async () => {
    const hls = await openHls()
    const { call, sandbox, broadcast, read } = await openBroadcast({ media: hls.media })
    const play = (file: string, headers = {}) =>
      sandbox.fetch(new Request(`http://localhost/broadcasts/${broadcast.id}/${file}`, { headers }))
    expect((await play('index.m3u8')).status).toBe(404)
    expect((await read()).broadcastUrls.hlsStatus).toBe('ready')

    hls.grow('#EXTM3U\n')
    await writeFile(join(hls.directory, 'media-0.m4s'), 'media')
    expect((await read()).broadcastUrls.hlsStatus).toBe('live')
    await call('stopBroadcast', { broadcastId: broadcast.id })

    const origin = 'http://127.0.0.1:3000'
    const playlist = await play('index.m3u8?DVR', { origin })
    expect(await playlist.text()).toBe('#EXTM3U\n')
    expect(Object.fromEntries(playlist.headers)).toMatchObject({
      'content-type': 'application/vnd.apple.mpegurl',
      'cache-control': 'public, max-age=1',
      'access-control-allow-origin': origin,
    })
    const fromElsewhere = await play('index.m3u8', { origin: 'https://example.com' })
    expect(fromElsewhere.headers.get('access-control-allow-origin')).toBeNull()
    expect((await play('index.m3u8', { host: 'rebound.example' })).status).toBe(403)
    const segment = await play('media-0.m4s')
    expect(await segment.text()).toBe('media')
    expect(segment.headers.get('content-type')).toBe('video/iso.segment')
  })

  it.each([
    { dvr: false, first: 3 }, // 30 s
    { dvr: true, first: 0 },
  ])('leaves its playlist to the next process, with an end: %j', async ({ dvr, first }) => {
    const memory = createMemory()
    onTestFinished(memory.close)
    const hls = await openHls()
    const { sandbox, broadcast } = await openBroadcast({ media: hls.media, memory }, { outputs: { hls: { dvr } } })
    const segment = { file: 'media-0.m4s', size: 3, start: 0, duration: 2 }
    const entries = Array.from({ length: 18 }, (_, index) => keptEntry({ ...segment, offset: 3 * index }))
    await writeFile(join(hls.directory, 'index.m3u8'), `${keptHeader() + entries.join('')}#EXT-X-PROGRAM-DATE`)
    await writeFile(join(hls.directory, 'media-0.m4s'), '012'.repeat(18))
    await sandbox.close()

    const next = openSandbox({ memory }).sandbox
    onTestFinished(next.close)
    const play = async (file: string) =>
      (await next.fetch(new Request(`http://localhost/broadcasts/${broadcast.id}/${file}`))).text()
    const left = readPlaylist(await play(`index.m3u8${dvr ? '?DVR' : ''}`))
    expect(left).toMatchObject({ sequence: first, hasEnded: true })
    const names = Array.from({ length: 18 }, (_, number) => `segment-${String(number).padStart(5, '0')}.m4s`)
    expect(left.segments.map(({ name }) => name)).toEqual(names.slice(first))
    expect(await play('segment-00017.m4s')).toBe('012')
  })

  it('serves only segments of the broadcast', async () => {
    const hls = await openHls()
    const { sandbox, broadcast } = await openBroadcast({ media: hls.media })
    await writeFile(join(hls.directory, 'notes.txt'), 'private')
    await writeFile(join(hls.directory, '..', 'media-0.m4s'), 'private')
    for (const file of [
      'notes.txt',
      '..%2fmedia-0.m4s',
      '%2e%2e%2fmedia-0.m4s',
      '..%5cmedia-0.m4s',
      '.m4s',
      'media-0.m4s',
      'segment-00000.m4s',
      'init.mp4',
      'a%00.m4s',
    ])
      expect((await sandbox.fetch(new Request(`http://localhost/broadcasts/${broadcast.id}/${file}`))).status).toBe(404)
  })

  it('fails alone when its encoder dies', async () => {
    const hls = await openHls()
    const { call, sessionId, read } = await openBroadcast({ media: hls.media })
    const archive = (await call('startArchive', { sessionId })).body
    hls.fail()
    expect(await read()).toMatchObject({ status: 'failed', broadcastUrls: { hlsStatus: 'error' } })
    expect((await call('getArchive', { archiveId: archive.id })).body.status).toBe('started')
  })
})
