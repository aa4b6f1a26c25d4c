import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, run } from '../../run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

describe('watchShow, with scenes and servers', () => {
  const secret = { secret: 'keys#one' }
  const rtmp = [
    { id: 'good', serverUrl: 'rtmp://live.example.com/app', streamName: secret },
    { id: 'dead', serverUrl: 'rtmp://nowhere.invalid/app', streamName: secret },
  ]
  const scenes = [
    { name: 'title', url: 'https://scenes.example.com/title' },
    { name: 'crash', url: 'https://crash.invalid/page' },
  ]
  const document = { ...webinar, duration: 600, scenes, broadcasts: [{ name: 'live', rtmp }] }
  const look = () => run(world, 'watchShow', { showId: 'rich', sessionId: show.sessionId })
  const timeline = async () => (await world.services.records.readState('rich'))?.timeline ?? []
  const happened = async () =>
    (await timeline()).map(({ what, name, id, detail }) => [what, name, id, detail].filter(Boolean).join(' '))

  beforeEach(async () => {
    world.keepShowSecret('keys', { one: 'a stream key' })
    show = await bringLive(world, document, 'rich')
    for (const { name } of scenes) await run(world, 'startScene', { showId: 'rich', sessionId: show.sessionId, name })
  })

  it('notes the outcome of outputs, and a live broadcast without a playlist', async () => {
    await world.clock.advance(2_000)
    await look()
    await look()
    expect((await happened()).slice(-3)).toEqual([
      'broadcast.live live',
      'output.live live good',
      'output.failed live dead offline',
    ])
    const live = world.ownerEvents.filter((event) => event['detail-type'] === 'broadcast.live')
    expect(live).toMatchObject([{ detail: { name: 'live' } }])
    expect(JSON.stringify(await timeline())).not.toMatch('a stream key')
  })

  it('notes the outcome of scenes with one more call, and none once they have ended', async () => {
    await world.clock.advance(20_000)
    world.calls.length = 0
    await look()
    expect(world.calls.sort()).toEqual(['GET /archive', 'GET /broadcast', 'GET /render'])
    expect(await happened()).toContain('scene.failed crash The page crashed.')
    expect((await world.services.records.readState('rich'))?.scenes).toMatchObject([
      { status: 'started', streamId: expect.any(String) },
      { status: 'failed' },
    ])
    const composerId = (await world.services.records.readState('rich'))?.scenes[0]?.composerId
    await world.platform.call('stopComposer', { composerId })
    await look()
    expect(await happened()).toContain('scene.ended title Stop Requested')
    world.calls.length = 0
    await look()
    expect(world.calls.sort()).toEqual(['GET /archive', 'GET /broadcast'])
  })

  it('notes a failed or missing broadcast, and does not read it again', async () => {
    const broadcastId = show.broadcasts[0]?.broadcastId
    world.interceptors.platform = async (request, pass) => {
      if (isCall('GET', /\/broadcast$/)(request)) return Response.json({ count: 0, items: [] })
      return isCall('GET', /\/broadcast\/./)(request)
        ? Response.json({ code: 404, message: 'Broadcast not found' }, { status: 404 })
        : pass()
    }
    await look()
    expect((await world.services.records.readState('rich'))?.broadcasts).toMatchObject([
      { broadcastId, status: 'stopped' },
    ])
    world.calls.length = 0
    await look()
    expect(world.calls).not.toContain(`GET /broadcast/${broadcastId}`)
  })
})
