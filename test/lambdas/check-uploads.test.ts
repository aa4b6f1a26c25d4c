import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, openWorld, type World } from '../support/world.ts'
import { bringLive, run, runAnyhow, settled } from './run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world)
  await world.clock.advance(20_000)
})
afterEach(() => world.close())

const stop = () =>
  run(world, 'stopShow', { showId: 'a-show', sessionId: show.sessionId, reason: 'It ended.', failure: null })
const check = (uploadWait = 3_600) =>
  run(world, 'checkUploads', { showId: 'a-show', sessionId: show.sessionId, uploadWait })
const state = async () => world.services.records.readState('a-show')
const outcomes = async () =>
  (await state())?.timeline.filter(({ what }) => /^recording\.(arrived|failed)$/.test(what)).map(({ what }) => what)

/** Shows the first archive as one that is still being delivered. */
const slow = () => {
  world.interceptors.platform = async (request, pass) => {
    const response = await pass()
    if (!isCall('GET', /\/archive$/)(request)) return response
    const page = (await response.json()) as { items: { id: string }[] }
    const items = page.items.map((item) =>
      item.id === show.recordings[0]?.archiveId ? { ...item, status: 'stopped' } : item,
    )
    return Response.json({ ...page, items })
  }
}

describe('checkUploads', () => {
  it('is over when every file lies in the bucket with the size that the platform reports', async () => {
    await stop()
    await settled(world)
    expect(await check()).toEqual({ over: true, arrived: 2, awaited: 0, waitSeconds: 0, stranded: [] })
    expect(await outcomes()).toEqual(['recording.arrived', 'recording.arrived'])
    expect((await state())?.recordings).toMatchObject([{ status: 'uploaded' }, { status: 'uploaded' }])
  })

  it('notes each arrival once however often it is repeated', async () => {
    await stop()
    await settled(world)
    await check()
    const noted = await state()
    await world.clock.advance(5_000)
    await check()
    expect(await state()).toEqual(noted)
  })

  it('waits for what is under way, and looks ever more rarely', async () => {
    await stop()
    await settled(world)
    slow()
    expect(await check()).toEqual({ over: false, arrived: 1, awaited: 1, waitSeconds: 2, stranded: [] })
    await world.clock.advance(600_000)
    expect(await check()).toMatchObject({ over: false, waitSeconds: 30 })
    expect(await outcomes()).toEqual([])
  })

  it('gives up at the limit, counted from the end of the show', async () => {
    await stop()
    await settled(world)
    slow()
    await world.clock.advance(99_000)
    expect((await check(100)).over).toBe(false)
    await world.clock.advance(1_000)
    expect(await check(100)).toMatchObject({ over: true, awaited: 1 })
  })

  it('waits for what could not be stopped', async () => {
    expect(await check()).toMatchObject({ over: false, arrived: 0, awaited: 2 })
  })

  it('asks nothing of the bucket while it waits', async () => {
    await stop()
    await settled(world)
    slow()
    let looks = 0
    world.interceptors.aws = (request, pass) => {
      if (request.method === 'HEAD') looks++
      return pass()
    }
    await check()
    expect(looks).toBe(0)
  })

  it('tells files that failed from those that have arrived', async () => {
    await world.aimUploads('elsewhere', 'none')
    await stop()
    await settled(world)
    expect(await check()).toEqual({ over: true, arrived: 0, awaited: 0, waitSeconds: 0, stranded: [] })
    expect(await outcomes()).toEqual(['recording.failed', 'recording.failed'])
    expect((await state())?.recordings).toMatchObject([{ status: 'failed' }, { status: 'failed' }])
  })

  it('names files whose upload failed but which the platform keeps, and calls them neither', async () => {
    await world.aimUploads('elsewhere')
    await stop()
    await settled(world)
    const { over, stranded } = await check()
    expect([over, stranded.map(({ name }) => name)]).toEqual([true, ['program', 'speakers']])
    expect(await outcomes()).toEqual([])
  })

  it('takes an upload to another bucket for none', async () => {
    world.createBucket('elsewhere')
    await world.aimUploads('elsewhere')
    await stop()
    await settled(world)
    expect(await check()).toMatchObject({ over: true, arrived: 0 })
    expect(await outcomes()).toEqual(['recording.failed', 'recording.failed'])
  })

  it('names a show that is not there', async () => {
    await expect(
      runAnyhow(world, 'checkUploads', { showId: 'none', sessionId: show.sessionId, uploadWait: 1 }),
    ).rejects.toMatchObject({ name: 'TaskInputError', message: 'The show none has no state.' })
  })
})
