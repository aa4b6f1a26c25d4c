import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, refusing } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, run, settled } from '../run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world, { ...webinar, uploadWait: 1_000 })
  await world.clock.advance(20_000)
})
afterEach(() => world.close())

const stop = () =>
  run(world, 'stopShow', { showId: 'a-show', sessionId: show.sessionId, reason: 'It ended.', failure: null })
const check = (showId = 'a-show') => run(world, 'checkUploads', { showId, sessionId: show.sessionId })
const state = async () => world.services.records.readState('a-show')
const outcomes = async () =>
  (await state())?.timeline.filter(({ what }) => /^recording\.(arrived|failed)$/.test(what)).map(({ what }) => what)

/** Lists the first archive as not yet delivered. */
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
  it('is over when every file is in the bucket with the size that the platform reports', async () => {
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

  it('waits for uploads under way, with growing pauses', async () => {
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
    await world.clock.advance(990_000)
    expect(await check()).toMatchObject({ over: false, waitSeconds: 10 })
    await world.clock.advance(10_000)
    expect(await check()).toMatchObject({ over: true, awaited: 1 })
  })

  it('stops again what could not be stopped, and waits for it', async () => {
    expect(await check()).toMatchObject({ over: false, arrived: 0, awaited: 2 })
    await settled(world)
    expect(await check()).toMatchObject({ over: true, arrived: 2, awaited: 0 })
    expect((await world.platform.call('listBroadcasts', { sessionId: show.sessionId })).body.items).toEqual([])
  })

  it('waits through transient errors, refused credentials and unreadable answers, until the limit', async () => {
    await stop()
    await settled(world)
    for (const status of [400, 403, 429, 500]) {
      world.interceptors.platform = refusing(isCall('GET', /\/archive$/), status)
      expect(await check()).toMatchObject({ over: false, awaited: 2 })
    }
    world.interceptors.platform = async () => new Response('no JSON')
    expect((await check()).over).toBe(false)
    await world.clock.advance(1_000_000)
    expect(await check()).toMatchObject({ over: true, awaited: 2 })
    expect(await outcomes()).toEqual([])
  })

  it('has nothing to wait for without a session', async () => {
    await world.accept(webinar, 'bare')
    world.calls.length = 0
    expect(await run(world, 'checkUploads', { showId: 'bare', sessionId: null })).toEqual({
      ...{ over: true, arrived: 0, awaited: 0, waitSeconds: 0, stranded: [] },
    })
    expect(world.calls).toEqual([])
  })

  it('names no more than a hundred files to be fetched in one go', async () => {
    await stop()
    await settled(world)
    await world.services.shows.update('a-show', (latest) => ({
      ...latest,
      recordings: [
        ...latest.recordings,
        ...Array.from({ length: 150 }, (_, index) => ({
          ...{ name: 'more', part: index + 1, tag: `a-show/more/${index + 1}` },
          ...{ archiveId: `none-${index + 1}`, status: 'available' as const, rescued: index < 10 },
        })),
      ],
    }))
    const { stranded } = await check()
    expect(stranded).toHaveLength(100)
    expect((await check()).stranded).toHaveLength(40)
    expect(await check()).toMatchObject({ over: false, stranded: [], waitSeconds: 60 })
    expect(stranded[0]).toEqual({ name: 'more', part: 11, archiveId: 'none-11' })
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

  it('distinguishes failed files from arrived ones', async () => {
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

  it('does not accept an upload to another bucket', async () => {
    world.createBucket('elsewhere')
    await world.aimUploads('elsewhere')
    await stop()
    await settled(world)
    expect(await check()).toMatchObject({ over: true, arrived: 0 })
    expect(await outcomes()).toEqual(['recording.failed', 'recording.failed'])
  })

  it('names a show that is not there', async () => {
    await expect(run(world, 'checkUploads', { showId: 'none', sessionId: null })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/^There is no show none/),
    })
  })
})
