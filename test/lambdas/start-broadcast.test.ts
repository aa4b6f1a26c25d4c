import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, losingAnswers, openWorld, START_TIME, type World } from '../support/world.ts'
import { openShow, run } from './run.ts'

let world: World
let show: Awaited<ReturnType<typeof openShow>>
let bodies: { maxDuration: number }[]
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world)
  await world.platform.join(show.sessionId)
  bodies = []
})
afterEach(() => world.close())

const start = (duration = 20) => {
  const { showId, sessionId } = show
  const broadcast = show.show.broadcasts[0] as (typeof show.show.broadcasts)[number]
  return run(world, 'startBroadcast', { showId, sessionId, broadcast, duration })
}
const broadcasts = async () => (await world.platform.call('listBroadcasts', { sessionId: show.sessionId })).body.items

describe('startBroadcast', () => {
  it('starts a broadcast and says where it can be watched', async () => {
    expect(await start()).toEqual({
      name: 'live',
      tag: 'a-show/live/1',
      broadcastId: expect.any(String),
      createdAt: START_TIME,
      status: 'started',
      hls: expect.stringMatching(/^http:\/\/localhost\/broadcasts\/.*\.m3u8$/),
    })
  })

  it('adopts the broadcast when it is repeated, and when an answer was lost', async () => {
    world.interceptors.platform = losingAnswers(isCall('POST', /\/broadcast$/))
    const first = await start()
    expect(await start()).toEqual(first)
    expect(await broadcasts()).toHaveLength(1)
  })

  it.each([
    [20, 620],
    [14_400, 15_000],
    [36_000, 36_000],
  ])('lets the platform end a broadcast of %i s by itself after %i s', async (duration, maxDuration) => {
    world.interceptors.platform = async (request, pass) => {
      if (request.method === 'POST') bodies.push((await request.clone().json()) as { maxDuration: number })
      return pass()
    }
    await start(duration)
    expect(bodies).toMatchObject([{ maxDuration }])
  })

  it('lets no stream name of an RTMP output out', async () => {
    await start()
    world.interceptors.platform = async (_request, pass) => {
      const page = (await (await pass()).json()) as { items: { broadcastUrls: object }[] }
      const rtmp = [{ id: 'a', serverUrl: 'rtmp://example.com/live', streamName: 'secret-stream' }]
      const items = page.items.map((item) => ({ ...item, broadcastUrls: { ...item.broadcastUrls, rtmp } }))
      return Response.json({ ...page, items })
    }
    expect(JSON.stringify(await start())).not.toMatch(/rtmp|secret-stream/)
  })
})
