import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { audienceStreams } from '../../../../../lib/show/run/start/check-audience.ts'
import { openShow, run } from '../../../../lambdas/run.ts'
import { isCall } from '../../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../../support/world.ts'

const scenes = [{ name: 'title', url: 'https://scenes.example.com/title' }]
const dialIns = [{ name: 'stage', uri: 'sip:stage@sip.example.com' }]
let world: World
let show: Awaited<ReturnType<typeof openShow>>
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world, { ...webinar, scenes, dialIns })
})
afterEach(() => world.close())

const named = (name: string) => ({ showId: 'a-show', sessionId: show.sessionId, name })
const state = () => world.services.shows.state('a-show')
const strangers = async () => {
  const { body } = await world.platform.call('listStreams', { sessionId: show.sessionId })
  const request = await world.services.shows.request('a-show')
  const shown = { sessionId: show.sessionId, request, state: await state() }
  world.calls.length = 0
  return audienceStreams(world.services, body.items ?? [], shown)
}

describe('strangersAmong', () => {
  it('excludes the show’s own scenes and dial-ins, and notes their streams', async () => {
    await run(world, 'startScene', named('title'))
    await run(world, 'startDialIn', named('stage'))
    await world.clock.advance(5_000)
    expect(await strangers()).toEqual([])
    expect((await state()).scenes).toMatchObject([{ status: 'started', streamId: expect.any(String) }])
    const { streamId } = await world.platform.join(show.sessionId)
    expect(await strangers()).toMatchObject([{ id: streamId }])
  })

  it('reads only composers that the state does not know', async () => {
    await run(world, 'startDialIn', named('stage'))
    expect([await strangers(), world.calls]).toEqual([[], []])
    await run(world, 'startScene', named('title'))
    await world.clock.advance(5_000)
    await strangers()
    expect(world.calls).toEqual(['GET /render'])
    expect([await strangers(), world.calls]).toEqual([[], []])
  })

  it('reads a scene that the list does not show yet', async () => {
    await run(world, 'startScene', named('title'))
    await world.clock.advance(5_000)
    world.interceptors.platform = async (request, pass) =>
      isCall('GET', /\/render$/)(request) ? Response.json({ count: 0, items: [] }) : pass()
    expect(await strangers()).toEqual([])
  })

  it('excludes a scene whose start was never noted', async () => {
    await run(world, 'startScene', named('title'))
    await world.services.shows.update('a-show', (state) => ({ ...state, scenes: [{ name: 'title' }] }))
    await world.clock.advance(5_000)
    expect(await strangers()).toEqual([])
  })

  it.each([
    { composerId: 'gone', status: 'failed' },
    { composerId: 'gone', status: 'stopped' },
    { problem: 'The platform refused it.' },
  ] as const)('asks for no composers because of a scene that has failed: %o', async (end) => {
    await world.services.shows.update('a-show', (state) => ({ ...state, scenes: [{ name: 'title', ...end }] }))
    await world.platform.join(show.sessionId)
    expect([await strangers(), world.calls]).toMatchObject([[{}], []])
  })

  it('counts every publisher as a participant while no scene is open', async () => {
    await run(world, 'startScene', named('title'))
    await world.platform.join(show.sessionId)
    expect(await strangers()).toHaveLength(1)
  })
})
