import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, openWorld, type World, webinar } from '../support/world.ts'
import { bringLive, run, runAnyhow } from './run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world, { ...webinar, duration: 300 })
})
afterEach(() => world.close())

const watch = () => run(world, 'watchShow', { showId: show.showId, sessionId: show.sessionId })
const state = async () => world.services.records.readState('a-show')
const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()

describe('watchShow', () => {
  it('looks often while a show is young, rarely later, and exactly at its planned end', async () => {
    expect(await watch()).toEqual({ over: false, nextLookAt: inSeconds(5) })
    await world.clock.advance(60_000)
    expect(await watch()).toEqual({ over: false, nextLookAt: inSeconds(50) })
    await world.clock.advance(229_300)
    expect(await watch()).toEqual({ over: false, nextLookAt: inSeconds(10.7) })
  })

  it('is over at the planned end', async () => {
    await world.clock.advance(300_000)
    expect(await watch()).toEqual({ over: true, reason: 'The planned end came.', nextLookAt: inSeconds(0) })
  })

  it('is over when everything has ended, but not as long as anything runs', async () => {
    for (const { archiveId } of show.recordings) await world.platform.call('stopArchive', { archiveId })
    expect((await watch()).over).toBe(false) // the broadcast goes on
    for (const { broadcastId } of show.broadcasts) await world.platform.call('stopBroadcast', { broadcastId })
    expect(await watch()).toMatchObject({ over: true, reason: 'Everything had ended before the planned end.' })
  })

  it('goes on while a recording is paused', async () => {
    for (const { broadcastId } of show.broadcasts) await world.platform.call('stopBroadcast', { broadcastId })
    await show.guest.leave()
    await world.platform.join(show.sessionId, { publish: false })
    expect((await watch()).over).toBe(false)
    expect((await state())?.recordings).toMatchObject([{ status: 'paused' }, { status: 'paused' }])
  })

  it('notes statuses that have changed and writes nothing when none has', async () => {
    let writes = 0
    world.interceptors.aws = (request, pass) => {
      if (request.method === 'PUT') writes++
      return pass()
    }
    await watch()
    expect(writes).toBe(0)
    await world.platform.call('stopArchive', { archiveId: show.recordings[0]?.archiveId })
    await world.clock.advance(0)
    await watch()
    expect(writes).toBe(1)
    expect((await state())?.recordings).toMatchObject([{ status: 'uploaded' }, { status: 'started' }])
    await watch()
    expect(writes).toBe(1)
  })

  it('notes a failure in the timeline once', async () => {
    world.interceptors.platform = async (request, pass) => {
      const response = await pass()
      if (!isCall('GET', /\/archive$/)(request)) return response
      const page = (await response.json()) as { items: { id: string }[] }
      const items = page.items.map((item) => ({
        ...item,
        ...(item.id === show.recordings[1]?.archiveId && { status: 'failed', reason: 'failure' }),
      }))
      return Response.json({ ...page, items })
    }
    await watch()
    await watch()
    const failures = (await state())?.timeline.filter(({ what }) => what === 'recording.failed')
    expect(failures).toMatchObject([{ name: 'speakers' }])
  })

  it('looks again while the platform cannot be reached, and still ends the show at its planned end', async () => {
    world.interceptors.platform = async () => Response.json({ code: 503, message: 'Unavailable' }, { status: 503 })
    const looking = watch()
    await world.clock.advance(5_000) // the client's own retries
    expect(await looking).toMatchObject({ over: false })
    await world.clock.advance(295_000)
    const last = watch()
    await world.clock.advance(5_000)
    expect(await last).toMatchObject({ over: true, reason: 'The planned end came.' })
  })

  it('is not fooled by lists that lag behind', async () => {
    world.interceptors.platform = async (request, pass) =>
      isCall('GET', /\/(archive|broadcast)$/)(request) ? Response.json({ count: 0, items: [] }) : pass()
    expect((await watch()).over).toBe(false)
  })

  it('asks the platform as often for fifty recordings as for one', async () => {
    const many = openWorld()
    const recordings = Array.from({ length: 50 }, (_, index) => ({ name: `take-${index}` }))
    const { showId, sessionId } = await bringLive(many, { ...webinar, recordings }, 'many')
    many.calls.length = 0
    await run(many, 'watchShow', { showId, sessionId })
    expect(many.calls).toHaveLength(2)
    await many.close()
  })

  it('names a show that is not live', async () => {
    await world.accept(webinar, 'not-yet')
    await expect(runAnyhow(world, 'watchShow', { showId: 'not-yet', sessionId: show.sessionId })).rejects.toMatchObject(
      { name: 'TaskInputError', message: 'The show not-yet is not live.' },
    )
  })
})
