import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, call, stateOf } from './call.ts'
import { slowPlatform } from './slow-platform.ts'

/** Seconds after which API Gateway answers in the place of the function. */
const GATEWAY_LIMIT = 30

let world: World
let slow: ReturnType<typeof slowPlatform>
beforeEach(() => {
  world = openWorld()
  slow = slowPlatform(world)
})
afterEach(() => world.close())

const silent = () => slow.answering(Number.POSITIVE_INFINITY, (_request, pass) => pass())

async function timed(...[route, options]: [route: string, options?: Parameters<typeof call>[2]]) {
  const { answer, seconds } = await slow.timed(call(world, route, options))
  return { ...answer, seconds }
}

describe('a platform that does not answer', () => {
  it.each([
    ['POST /shows/a-show/mute', { active: true }, 504],
    ['POST /shows/a-show/signals', { type: 'note', data: 'x' }, 504],
    ['POST /shows/a-show/dial-ins', { name: 'desk', uri: 'sip:desk@example.com' }, 200], // it may have been dialed: unknown
    ['POST /shows/a-show/broadcasts', { name: 'more', hls: {} }, 504],
    ['POST /shows/a-show/stop', undefined, 200], // the show’s machine goes on
    ['PATCH /shows/a-show', { layouts: [{ recording: 'program', layout: { type: 'pip' } }] }, 504],
  ])('has %s answered before API Gateway gives up', async (route, body, status) => {
    await bringLive(world)
    world.interceptors.platform = silent()
    const answer = await timed(route, { body, key: 'once' })
    expect(answer.status).toBe(status)
    expect(answer.seconds).toBeGreaterThan(3)
    expect(answer.seconds).toBeLessThan(GATEWAY_LIMIT - 5) // for the records before and after
  })

  it('has a deletion answered in time, which may be asked for again', async () => {
    world.interceptors.platform = silent()
    const { status, seconds } = await timed('DELETE /recordings/b40ef09b-3811-4726-b508-e41a0f96c68f')
    expect(status).toBe(504)
    expect(seconds).toBeLessThan(GATEWAY_LIMIT - 5)
  })

  it('notes nothing of a dial that was not sent in time', async () => {
    await bringLive(world, webinar)
    let calls = 0
    // Everything is throttled, with a wait beyond the time that there is.
    world.interceptors.platform = slow.answering(9_000, async () => {
      calls++
      return Response.json({ code: 429, message: 'Wait.' }, { status: 429, headers: { 'retry-after': '15' } })
    })
    const { status, seconds } = await timed('POST /shows/a-show/dial-ins', {
      body: { name: 'desk', uri: 'sip:desk@example.com' },
    })
    expect([status, calls]).toEqual([502, 1])
    expect(seconds).toBeLessThan(GATEWAY_LIMIT - 5)
    expect((await stateOf(world)).dialIns).toEqual([])
  })
})
