import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, laggingLists, losingAnswers, losingRequests } from '../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { openShow, run } from '../run.ts'

const rtmp = [{ id: 'main', serverUrl: 'rtmp://live.example.com/app', streamName: { secret: 'rtmp#main' } }]
const document = { ...webinar, broadcasts: [{ name: 'live', hls: {}, rtmp }] }

const isStart = isCall('POST', /\/broadcast$/)

let world: World
let show: Awaited<ReturnType<typeof openShow>>
beforeEach(async () => {
  world = openWorld()
  world.keepShowSecret('rtmp', { main: 'stream-key-1' })
  show = await openShow(world, document)
  await world.platform.join(show.sessionId)
})
afterEach(() => world.close())

const start = () => run(world, 'startBroadcast', { showId: show.showId, sessionId: show.sessionId, name: 'live' })
const broadcasts = async () => (await world.platform.call('listBroadcasts', { sessionId: show.sessionId })).body.items

describe('startBroadcast', () => {
  it('starts a broadcast and returns its playlist', async () => {
    expect(await start()).toEqual({
      name: 'live',
      part: 1,
      tag: 'a-show/live/1',
      broadcastId: expect.any(String),
      createdAt: START_TIME,
      status: 'started',
      hlsStatus: 'connecting',
      rtmp: [{ id: 'main', status: 'connecting' }],
      hls: expect.stringMatching(/^http:\/\/localhost\/broadcasts\/.*\.m3u8$/),
    })
  })

  it('adopts the broadcast when it is repeated, and when an answer was lost', async () => {
    world.interceptors.platform = losingAnswers(isStart)
    const first = await start()
    expect(await start()).toEqual(first)
    expect(await broadcasts()).toHaveLength(1)
  })

  it.each([
    ['its request is lost', losingRequests(isStart)],
    ['its answer is lost and lists lag', laggingLists(3, losingAnswers(isStart))],
  ])('starts one broadcast although %s', async (_what, interceptor) => {
    world.interceptors.platform = interceptor
    const { broadcastId } = await start()
    expect(await broadcasts()).toMatchObject([{ id: broadcastId }])
  })

  it('starts nothing once the show was asked to stop', async () => {
    await world.services.shows.update('a-show', (state) => ({ ...state, stopAskedAt: START_TIME }))
    await expect(start()).rejects.toMatchObject({ name: 'ShowStoppedError' })
    expect(await broadcasts()).toEqual([])
  })

  it('lets no stream key out, neither when it starts nor when it adopts', async () => {
    const shown = JSON.stringify([await start(), await start()])
    expect(shown).not.toMatch(/stream-key|live\.example\.com/)
    const { body } = await world.platform.call('listBroadcasts', { sessionId: show.sessionId })
    expect(JSON.stringify(body)).toMatch('stream-key-1') // which the platform does show
  })

  it('lets no stream key into an error', async () => {
    world.interceptors.platform = async (request, pass) =>
      isStart(request)
        ? Response.json({ code: 400, message: `No such stream: ${await request.text()}` }, { status: 400 })
        : pass()
    const error = (await start().catch((error) => error)) as Error
    expect(error).toMatchObject({ name: 'PlatformRequestError', message: expect.stringContaining('No such stream') })
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toMatch('stream-key')
  })

  it('names a secret that is not there, and starts nothing', async () => {
    await world.close()
    world = openWorld()
    show = await openShow(world, document)
    await expect(start()).rejects.toMatchObject({
      name: 'TaskConfigError',
      message: expect.stringContaining('The secret rtmp#main cannot be sent to rtmp://live.example.com'),
    })
    expect(await broadcasts()).toEqual([])
  })
})
