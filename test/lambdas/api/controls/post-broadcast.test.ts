import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, call, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const late = { name: 'late', hls: {} }
const add = (body: unknown = late, key?: string) =>
  call(world, 'POST /shows/a-show/broadcasts', { body, ...(key !== undefined && { key }) })
const isStart = isCall('POST', /\/broadcast$/)
const running = async (sessionId: string) => (await world.platform.call('listBroadcasts', { sessionId })).body.items

describe('POST /shows/{id}/broadcasts', () => {
  it('starts a broadcast and adds it to the show', async () => {
    const { sessionId } = await bringLive(world)
    const { status, body } = await add()
    expect(status).toBe(200)
    expect(body.timeline).toMatchObject([
      { what: 'control.broadcast', name: 'late', detail: 'The broadcast late was started.' },
    ])
    const state = await stateOf(world)
    expect(state.broadcasts[1]).toMatchObject({
      ...{ name: 'late', part: 1, tag: 'a-show/late/1', status: 'started', hls: expect.stringContaining('.m3u8') },
      order: { name: 'late', hls: { dvr: false } },
    })
    expect(state.timeline.map(({ what }) => what)).toEqual(['broadcast.started', 'control.broadcast'])
    expect(await running(sessionId)).toHaveLength(2)
  })

  it('sends it to servers whose stream keys are references, and keeps those to itself', async () => {
    await bringLive(world)
    world.keepShowSecret('rtmp', { key: 'hush' })
    const rtmp = [{ id: 'one', serverUrl: 'rtmp://live.example.com/app', streamName: { secret: 'rtmp#key' } }]
    const { status, body } = await add({ name: 'late', rtmp })
    expect(status).toBe(200)
    expect(JSON.stringify([body, await stateOf(world)])).not.toContain('hush')
    expect((await stateOf(world)).broadcasts[1]).toMatchObject({ rtmp: [{ id: 'one', status: 'connecting' }] })
  })

  it('adopts the one that an earlier attempt has started', async () => {
    const { sessionId } = await bringLive(world)
    world.interceptors.platform = losingAnswers(isStart)
    expect((await add(late, 'key')).status).toBe(200)
    expect(await running(sessionId)).toHaveLength(2)
  })

  it('takes a corrected order under the same name when the platform has refused the first', async () => {
    await bringLive(world)
    world.interceptors.platform = refusing(isStart, 400, 1)
    expect(await add()).toMatchObject({ status: 409, body: { detail: 'The platform refuses it (400: As arranged).' } })
    expect((await stateOf(world)).broadcasts).toHaveLength(1)
    expect((await add({ ...late, resolution: '1280x720' })).status).toBe(200)
    expect((await stateOf(world)).broadcasts[1]).toMatchObject({ status: 'started', order: { resolution: '1280x720' } })
  })

  it('keeps one that may run although the platform failed, until it is asked for again', async () => {
    await bringLive(world)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.platform = refusing(isStart, 500)
    expect((await add(late, 'key')).status).toBe(502)
    expect((await stateOf(world)).broadcasts[1]).toMatchObject({
      problem: 'The platform failed while it was started.',
    })
    world.interceptors.platform = (_request, pass) => pass()
    expect((await add(late, 'key')).status).toBe(200)
    expect((await stateOf(world)).broadcasts[1]).not.toHaveProperty('problem')
  })

  it.each([400, 404])('keeps one whose answer was lost and whose list is then refused with %i', async (status) => {
    await bringLive(world)
    let isLost = false
    world.interceptors.platform = async (request, pass) => {
      if (isLost && isCall('GET', /\/broadcast$/)(request)) return Response.json({ code: status }, { status })
      if (!isStart(request)) return pass()
      isLost = true
      return losingAnswers(isStart)(request, pass)
    }
    expect((await add(late, 'key')).status).toBe(409)
    expect((await stateOf(world)).broadcasts[1]).toMatchObject({ name: 'late', tag: 'a-show/late/1' })
    world.interceptors.platform = (_request, pass) => pass()
    expect((await add(late, 'key')).status).toBe(200)
  })

  it('takes back nothing that a second call under the same key has begun', async () => {
    await bringLive(world)
    let starts = 0
    const second: ReturnType<typeof add>[] = []
    world.interceptors.platform = async (request, pass) => {
      if (!isStart(request) || ++starts > 1) return pass()
      second.push(add(late, 'key'))
      await second[0]
      return Response.json({ code: 400, message: 'As arranged' }, { status: 400 })
    }
    expect((await add(late, 'key')).status).toBe(409)
    expect((await second[0])?.status).toBe(200)
    expect(await stateOf(world)).toMatchObject({
      broadcasts: [{}, { name: 'late', status: 'started' }],
      controls: [{ done: true }],
    })
  })

  it('leaves alone what a second call under the same key is about to begin', async () => {
    await bringLive(world)
    const { promise: refused, resolve: refuse } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let starts = 0
    world.interceptors.platform = async (request, pass) => {
      if (!isStart(request)) return pass()
      if (++starts === 1) {
        begin()
        await refused
        return Response.json({ code: 400, message: 'As arranged' }, { status: 400 })
      }
      refuse()
      expect(await first).toMatchObject({ status: 409 })
      expect(await stateOf(world)).toMatchObject({ broadcasts: [{}, { name: 'late' }], controls: [{ done: false }] })
      return pass()
    }
    const first = add(late, 'key')
    await begun
    expect((await add(late, 'key')).status).toBe(200)
    expect((await stateOf(world)).broadcasts[1]).toMatchObject({ name: 'late', status: 'started' })
  })

  it('names a secret that is not there', async () => {
    await bringLive(world)
    const rtmp = [{ id: 'one', serverUrl: 'rtmp://live.example.com/app', streamName: { secret: 'rtmp#key' } }]
    expect(await add({ name: 'late', rtmp })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('rtmp#key cannot be sent') },
    })
    expect((await stateOf(world)).broadcasts).toHaveLength(1)
  })

  it('stops at once what was started while the show was stopped', async () => {
    const { sessionId } = await bringLive(world)
    world.interceptors.platform = async (request, pass) => {
      if (isStart(request))
        await world.services.records.updateState('a-show', (state) => ({ ...state, stopAskedAt: world.now() }))
      return pass()
    }
    expect(await add()).toMatchObject({ status: 409, body: { detail: 'The show was stopped meanwhile.' } })
    expect(await running(sessionId)).toHaveLength(1)
  })

  it('refuses a name that is taken', async () => {
    await bringLive(world)
    expect(await add({ name: 'live', hls: {} })).toMatchObject({
      status: 409,
      body: { detail: 'The name live is taken in this show. Choose another one.' },
    })
  })

  it('refuses one that ends before the show does', async () => {
    await bringLive(world, { ...webinar, duration: 7_200 })
    expect(await add({ ...late, maxDuration: 3_600 })).toMatchObject({
      status: 409,
      body: { problems: [{ path: 'parts', message: expect.stringContaining('stops this broadcast after 3600 s') }] },
    })
    expect((await add({ ...late, maxDuration: 3_600, parts: true })).status).toBe(200)
  })

  it('refuses one without an output', async () => {
    await bringLive(world)
    expect(await add({ name: 'late' })).toMatchObject({
      status: 400,
      body: { problems: [{ path: '', message: 'needs hls, rtmp or both' }] },
    })
  })
})
