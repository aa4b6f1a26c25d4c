import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, run } from '../../run.ts'

const scenes = [{ name: 'title', url: 'https://scenes.example.com/title' }]
const isStreams = isCall('GET', /\/stream\/?$/)

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
const open = async (changes: object = {}) => {
  show = await bringLive(world, { ...webinar, duration: null, maxDuration: 3_600, emptyWait: 120, ...changes })
}
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const watch = () => run(world, 'watchShow', { showId: show.showId, sessionId: show.sessionId })
const state = () => world.services.shows.state('a-show')
const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()

/** A show whose scene keeps the session open when the participants leave. */
async function openWithScene() {
  await open({ scenes })
  await run(world, 'startScene', { showId: 'a-show', sessionId: show.sessionId, name: 'title' })
  await world.clock.advance(70_000) // its page is open, and polls are rare
}

describe('watchShow of a show with an open end', () => {
  it('fixes the latest end', async () => {
    await open()
    const { liveAt = '', ...live } = await state()
    expect(live).toMatchObject({ openEnd: true, status: 'live' })
    expect(Date.parse(live.plannedEndAt ?? '') - Date.parse(liveAt)).toBe(3_600_000)
  })

  it('is over once all clients have left, as the platform reports', async () => {
    await open()
    await show.guest.leave()
    await world.clock.advance(60_000)
    expect(await watch()).toMatchObject({ over: true, reason: 'All participants left.' })
  })

  it('is over at its latest end', async () => {
    await open()
    await world.clock.advance(3_600_000)
    expect(await watch()).toMatchObject({ over: true, reason: 'The latest end was reached.' })
    expect(await state()).toMatchObject({ endedAt: world.now(), endReason: 'The latest end was reached.' })
  })

  it('is over when only its scene has been there for the time of emptyWait', async () => {
    await openWithScene()
    expect((await watch()).over).toBe(false)
    expect((await state()).emptySince).toBeUndefined()
    await show.guest.leave()
    expect(await watch()).toMatchObject({ over: false })
    expect((await state()).emptySince).toBe(world.now())
    await world.clock.advance(100_000)
    expect(await watch()).toMatchObject({ over: false, nextPollAt: inSeconds(20) })
    await world.clock.advance(20_000)
    expect(await watch()).toMatchObject({ over: true, reason: 'No participant has published for 120 s.' })
    expect((await state()).endedAt).toBe(world.now())
  })

  it('continues when a participant returns in time', async () => {
    await openWithScene()
    await watch()
    await show.guest.leave()
    await watch()
    await world.clock.advance(100_000)
    const guest = await world.platform.join(show.sessionId)
    await watch()
    expect((await state()).emptySince).toBeUndefined()
    await world.clock.advance(100_000)
    expect((await watch()).over).toBe(false)
    await guest.leave()
    await watch()
    expect((await state()).emptySince).toBe(world.now())
  })

  it('counts listeners without a stream as empty', async () => {
    await open()
    await watch()
    await world.platform.join(show.sessionId, { publish: false })
    await show.guest.leave()
    await watch()
    await world.clock.advance(60_000)
    await watch()
    await world.clock.advance(60_000)
    expect(await watch()).toMatchObject({ over: true, reason: 'No participant has published for 120 s.' })
  })

  it('waits for its first speaker while listeners are connected', async () => {
    await open()
    await world.platform.join(show.sessionId, { publish: false })
    await show.guest.leave() // no observation has seen it
    for (const _ of [1, 2, 3]) {
      expect(await watch()).toMatchObject({ over: false })
      await world.clock.advance(100_000)
    }
    expect((await state()).emptySince).toBeUndefined()
    const speaker = await world.platform.join(show.sessionId)
    await watch()
    await speaker.leave()
    await watch()
    expect((await state()).emptySince).toBe(world.now())
  })

  it('concludes nothing from a platform that does not answer', async () => {
    await openWithScene()
    await watch()
    await show.guest.leave()
    world.interceptors.platform = refusing(isStreams, 503)
    expect(await watch()).toMatchObject({ over: false })
    expect((await state()).emptySince).toBeUndefined()
    world.interceptors.platform = (_request, pass) => pass()
    await watch()
    expect((await state()).emptySince).toBe(world.now())
    await world.clock.advance(50_000)
    await watch()

    world.interceptors.platform = refusing(isStreams, 503)
    await world.clock.advance(70_000)
    expect(await watch()).toMatchObject({ over: false, nextPollAt: inSeconds(5) })
    world.interceptors.platform = (_request, pass) => pass()
    expect((await watch()).over).toBe(true)
  })

  it('waits again after an outage in which a participant may have been there', async () => {
    await openWithScene()
    await watch()
    await show.guest.leave()
    await watch()
    world.interceptors.platform = refusing(isStreams, 503)
    await world.clock.advance(150_000)
    await watch()
    world.interceptors.platform = (_request, pass) => pass()
    expect((await watch()).over).toBe(false)
    expect((await state()).emptySince).toBe(world.now())
    await world.clock.advance(60_000)
    expect((await watch()).over).toBe(false)
    await world.clock.advance(60_000)
    expect((await watch()).over).toBe(true)
  })

  it('asks for no streams in a show with a duration', async () => {
    let asked = 0
    show = await bringLive(world, { ...webinar, duration: 300 })
    world.interceptors.platform = async (request, pass) => {
      if (isStreams(request)) asked += 1
      return pass()
    }
    await watch()
    expect(asked).toBe(0)
  })
})
