import { describe, expect, it } from 'vitest'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { createRtmpLinks } from '../../../../local/sandbox/media/rtmp-links.ts'
import type { WorldOptions } from '../open-sandbox.ts'
import { openSession } from '../open-session.ts'

const MINUTE = 60_000
const KEY = 'stream-name-that-nobody-else-may-see'
const rtmp = [
  { id: 'main', serverUrl: 'rtmp://live.example/app', streamName: KEY },
  { id: 'spare', serverUrl: 'rtmps://spare.example/app', streamName: KEY },
]

/** Creates media whose RTMP connections and failures the test controls. */
function openMedia() {
  const links = createRtmpLinks()
  const failures: ((error: Error) => void)[] = []
  const media: NonNullable<WorldOptions['media']> = (clock) => {
    const off = createMediaOff(clock)
    return {
      ...off,
      startBroadcast: async (spec) => ({
        ...(await off.startBroadcast({ ...spec, rtmp: [] })),
        onRtmp: links.listen,
        onFailure: (listener) => failures.push(listener),
      }),
    }
  }
  return { media, link: links.set, fail: () => failures[0]?.(new Error('the encoder died')) }
}

async function openBroadcast(args: Record<string, unknown> = {}, options: WorldOptions = {}) {
  const { media, link, fail } = openMedia()
  const world = await openSession({ media, ...options })
  const ada = await world.join(world.sessionId)
  const { status, body } = await world.call('startBroadcast', {
    sessionId: world.sessionId,
    outputs: { rtmp },
    ...args,
  })
  const read = async () => (await world.call('getBroadcast', { broadcastId: body.id })).body
  const statuses = async () => {
    const outputs: Record<string, { status: string }> = (await read()).broadcastUrls.rtmp
    return Object.values(outputs).map((output) => output.status)
  }
  return { ...world, ada, status, broadcast: body, read, statuses, link, fail }
}

describe('createRtmpStatuses', () => {
  it('is connecting at first, in an array in the answer to the start, and by id afterwards', async () => {
    const { broadcast, read, call } = await openBroadcast()
    expect(broadcast.broadcastUrls).toEqual({ rtmp: rtmp.map((output) => ({ ...output, status: 'connecting' })) })
    expect(broadcast.settings).toBeUndefined()
    const byId = Object.fromEntries(rtmp.map(({ id, ...output }) => [id, { ...output, status: 'connecting' }]))
    expect((await read()).broadcastUrls).toEqual({ rtmp: byId })
    expect((await call('listBroadcasts')).body.items[0].broadcastUrls).toEqual({ rtmp: byId })
    expect((await call('stopBroadcast', { broadcastId: broadcast.id })).body.broadcastUrls).toBeNull()
  })

  it('is connecting while a lost connection is renewed', async () => {
    const { statuses, link } = await openBroadcast()
    link('main', 'live')
    const seen = [await statuses()]
    for (const state of ['connecting', 'live'] as const) {
      link('main', state)
      seen.push(await statuses())
    }
    expect(seen.map(([main]) => main)).toEqual(['live', 'connecting', 'live'])
  })

  it('is in an array in all answers of a deployment with that form', async () => {
    const { read } = await openBroadcast({}, { rtmpForm: 'array' })
    expect((await read()).broadcastUrls.rtmp).toEqual(rtmp.map((output) => ({ ...output, status: 'connecting' })))
  })

  it('creates an id for an output without one, and accepts a single target', async () => {
    const { id: _, ...target } = rtmp[0] as (typeof rtmp)[0]
    const { broadcast } = await openBroadcast({ outputs: { hls: {}, rtmp: target } })
    expect(broadcast.broadcastUrls).toMatchObject({
      hls: expect.any(String),
      rtmp: [{ ...target, id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'connecting' }],
    })
  })

  it('accepts an empty array, as existing SDKs send it', async () => {
    const { broadcast } = await openBroadcast({ outputs: { hls: {}, rtmp: [] } })
    expect(broadcast.broadcastUrls).toEqual({ hls: expect.any(String), hlsStatus: 'connecting' })
  })

  it('follows each connection separately', async () => {
    const { link, statuses } = await openBroadcast()
    link('main', 'live')
    expect(await statuses()).toEqual(['live', 'connecting'])
    link('spare', 'offline')
    expect(await statuses()).toEqual(['live', 'offline'])
    link('main', 'error')
    expect(await statuses()).toEqual(['error', 'offline'])
  })

  it('is live only while a client publishes', async () => {
    const { join, sessionId, link, statuses, ada } = await openBroadcast()
    await join(sessionId, { publish: false })
    await ada.leave()
    link('main', 'live')
    expect(await statuses()).toEqual(['connecting', 'connecting'])
    const eve = await join(sessionId)
    expect(await statuses()).toEqual(['live', 'connecting'])
    await eve.leave()
    expect(await statuses()).toEqual(['connecting', 'connecting'])
    link('main', 'offline')
    await join(sessionId)
    expect(await statuses()).toEqual(['offline', 'connecting'])
  })

  it.each(['offline', 'error'] as const)('stays %s after later reports of media', async (link) => {
    const { link: tell, statuses, join, sessionId, ada, clock } = await openBroadcast()
    tell('main', link)
    for (const late of ['live', 'offline', 'error'] as const) tell('main', late)
    await join(sessionId, { publish: false })
    await ada.leave()
    await join(sessionId) // a client publishes again: outputs whose servers receive the stream are live
    await clock.advance(MINUTE)
    expect(await statuses()).toEqual([link, 'connecting'])
  })

  it('is in error if it had no final status when the platform failed', async () => {
    const { link, fail, read, statuses } = await openBroadcast({ outputs: { hls: {}, rtmp } })
    link('main', 'offline')
    fail()
    expect(await read()).toMatchObject({ status: 'failed', broadcastUrls: { hlsStatus: 'error' } })
    expect(await statuses()).toEqual(['offline', 'error'])
  })

  it('does not change after the broadcast has stopped', async () => {
    const { link, call, broadcast, clock, read } = await openBroadcast()
    await call('stopBroadcast', { broadcastId: broadcast.id })
    const stopped = await read()
    await clock.advance(MINUTE)
    link('main', 'live')
    expect(await read()).toEqual(stopped)
  })

  it('is announced with each change', async () => {
    const { link, callbacksOf } = await openBroadcast()
    link('main', 'live')
    expect(await callbacksOf('broadcast', ['broadcast'])).toMatchObject([
      { broadcastUrls: { rtmp: { main: { status: 'connecting' } } } },
      { broadcastUrls: { rtmp: { main: { status: 'live' } } } },
    ])
  })

  it.each([
    [{ outputs: { rtmp: [] } }, /^outputs needs hls, rtmp or both/],
    [{ outputs: { rtmp: Array(6).fill({ serverUrl: 'rtmp://live.example/app', streamName: KEY }) } }, /^outputs.rtmp/],
    [{ outputs: { rtmp: [rtmp[0], rtmp[0]] } }, /^outputs.rtmp ids must be unique/],
    [{ outputs: { rtmp: [{ serverUrl: 'https://live.example/app', streamName: KEY }] } }, /^outputs.rtmp.0.serverUrl/],
    [{ outputs: { rtmp: [rtmp[0], { serverUrl: 'rtmp:app', streamName: KEY }] } }, /^outputs.rtmp.1.serverUrl must be/],
    [{ outputs: { rtmp: { serverUrl: 'rtmp://live.example/app' } } }, /^outputs.rtmp/],
  ])('refuses %j', async (args, message) => {
    const { status, broadcast } = await openBroadcast(args)
    expect([status, broadcast.code]).toEqual([400, 400])
    expect(broadcast.message).toMatch(message)
    expect(broadcast.message).not.toContain(KEY)
  })
})
