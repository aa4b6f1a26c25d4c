import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, run, runAnyhow } from '../../run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world, { ...webinar, duration: 300 })
})
afterEach(() => world.close())

const watch = () => run(world, 'watchShow', { showId: show.showId, sessionId: show.sessionId })
const state = async () => world.services.records.readState('a-show')
const noted = async (what: string) => (await state())?.timeline.filter((entry) => entry.what === what)
const sent = (kind: string) =>
  world.ownerEvents.filter((event) => event['detail-type'] === kind).map(({ detail }) => detail as { name?: string })
/** Shows one of the show's archives otherwise than it is. */
const fakeArchive = (index: number, changes: object) => {
  world.interceptors.platform = async (request, pass) => {
    const response = await pass()
    if (!isCall('GET', /\/archive$/)(request)) return response
    const page = (await response.json()) as { items: { id: string }[] }
    const isIt = (item: { id: string }) => item.id === show.recordings[index]?.archiveId
    return Response.json({ ...page, items: page.items.map((item) => ({ ...item, ...(isIt(item) && changes) })) })
  }
}
const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()

describe('watchShow', () => {
  it('polls often at the start, rarely later, and exactly at the planned end', async () => {
    expect(await watch()).toEqual({ over: false, due: null, stranded: [], nextPollAt: inSeconds(5) })
    await world.clock.advance(60_000)
    expect(await watch()).toEqual({ over: false, due: null, stranded: [], nextPollAt: inSeconds(50) })
    await world.clock.advance(229_300)
    expect(await watch()).toEqual({ over: false, due: null, stranded: [], nextPollAt: inSeconds(10.7) })
  })

  it('is over at the planned end', async () => {
    await world.clock.advance(300_000)
    expect(await watch()).toMatchObject({
      over: true,
      reason: 'The planned end was reached.',
      nextPollAt: inSeconds(0),
    })
  })

  it('is over when everything has ended, but not as long as anything runs', async () => {
    for (const { archiveId } of show.recordings) await world.platform.call('stopArchive', { archiveId })
    expect((await watch()).over).toBe(false) // the broadcast continues
    for (const { broadcastId } of show.broadcasts) await world.platform.call('stopBroadcast', { broadcastId })
    expect(await watch()).toMatchObject({ over: true, reason: 'Everything had ended before the planned end.' })
  })

  it('watches its archives beside an unreadable one, and in an unlisted status', async () => {
    for (const { broadcastId } of show.broadcasts) await world.platform.call('stopBroadcast', { broadcastId })
    world.interceptors.platform = async (request, pass) => {
      const response = await pass()
      if (!isCall('GET', /\/archive$/)(request)) return response
      const { items } = (await response.json()) as { items: object[] }
      const unlisted = items.map((item) => ({ ...item, status: 'reconnecting', reason: null }))
      return Response.json({ count: 3, items: [{ id: null, status: 'started' }, ...unlisted] })
    }
    expect((await watch()).over).toBe(false)
    expect((await state())?.recordings).toMatchObject([{ status: 'reconnecting' }, { status: 'reconnecting' }])
    await run(world, 'stopShow', { showId: show.showId, sessionId: show.sessionId, reason: null, failure: null })
    world.interceptors.platform = (_request, pass) => pass()
    const { body } = await world.platform.call('listArchives')
    expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['uploaded', 'uploaded'])
  })

  it('continues while a recording is paused', async () => {
    for (const { broadcastId } of show.broadcasts) await world.platform.call('stopBroadcast', { broadcastId })
    await show.guest.leave()
    await world.platform.join(show.sessionId, { publish: false })
    expect((await watch()).over).toBe(false)
    expect((await state())?.recordings).toMatchObject([{ status: 'paused' }, { status: 'paused' }])
  })

  it('notes statuses that have changed and writes nothing when none has', async () => {
    let writes = 0
    world.interceptors.aws = (request, pass) => {
      if (request.method === 'PUT' && request.url.includes('/state.json')) writes++
      return pass()
    }
    await world.clock.advance(20_000)
    await watch() // the broadcast is live by now
    expect(writes).toBe(1)
    await watch()
    expect(writes).toBe(1)
    await world.platform.call('stopArchive', { archiveId: show.recordings[0]?.archiveId })
    await world.clock.advance(0)
    await watch()
    expect(writes).toBe(2)
    expect((await state())?.recordings).toMatchObject([{ status: 'uploaded' }, { status: 'started' }])
    await watch()
    expect(writes).toBe(2)
  })

  it('notes and publishes a failure once, with its reason, and continues the recording in another part', async () => {
    fakeArchive(1, { status: 'failed', reason: 'failure' })
    const { due, over } = await watch()
    expect({ due, over }).toEqual({
      over: false,
      due: {
        recordings: { start: [{ name: 'speakers', part: 2 }], stop: [] },
        broadcasts: { start: [], stop: [] },
      },
    })
    await watch()
    expect(await noted('recording.failed')).toMatchObject([{ name: 'speakers', part: 1, detail: 'failure' }])
    expect(sent('recording.failed')).toMatchObject([{ name: 'speakers', part: 1, reason: 'failure' }])
  })

  it('polls again while the platform cannot be reached, and still ends the show at its planned end', async () => {
    world.interceptors.platform = async () => Response.json({ code: 503, message: 'Unavailable' }, { status: 503 })
    const looking = watch()
    await world.clock.advance(5_000) // the client's own retries
    expect(await looking).toMatchObject({ over: false })
    await world.clock.advance(295_000)
    const last = watch()
    await world.clock.advance(5_000)
    expect(await last).toMatchObject({ over: true, reason: 'The planned end was reached.' })
  })

  it('is not fooled by lists that lag behind', async () => {
    world.interceptors.platform = async (request, pass) =>
      isCall('GET', /\/(archive|broadcast)$/)(request) ? Response.json({ count: 0, items: [] }) : pass()
    expect((await watch()).over).toBe(false)
  })

  it('is over at the next poll after a stop was requested', async () => {
    await world.services.shows.update('a-show', (latest) => ({ ...latest, stopAskedAt: world.now() }))
    expect(await watch()).toMatchObject({ over: true, reason: 'It was stopped on request.', due: null })
  })

  it('notices within a minute that all participants left', async () => {
    await show.guest.leave()
    await world.clock.advance(60_000)
    expect(await watch()).toMatchObject({ over: true, reason: 'All participants left before the planned end.' })
  })

  it('continues when the end was moved during a poll, and refuses to move it afterwards', async () => {
    const plannedEndAt = (await state())?.plannedEndAt ?? ''
    const extended = new Date(Date.parse(plannedEndAt) + 600_000).toISOString()
    await world.clock.advance(20_000)
    await watch() // from now on nothing changes
    await world.clock.advance(Date.parse(plannedEndAt) - world.clock.now())
    world.interceptors.platform = async (_request, pass) => {
      await world.services.shows.update('a-show', (latest) => ({ ...latest, plannedEndAt: extended }))
      return pass()
    }
    expect((await watch()).over).toBe(false)
    world.interceptors.platform = (_request, pass) => pass()
    await world.clock.advance(600_000)
    expect(await watch()).toMatchObject({ over: true, reason: 'The planned end was reached.' })
    expect(await state()).toMatchObject({ endedAt: extended, endReason: 'The planned end was reached.' })
  })

  it('follows a planned end that was moved', async () => {
    const plannedEndAt = inSeconds(30)
    await world.services.shows.update('a-show', (latest) => ({ ...latest, plannedEndAt }))
    await world.clock.advance(28_000)
    expect(await watch()).toMatchObject({ over: false, nextPollAt: plannedEndAt })
    await world.clock.advance(2_000)
    expect((await watch()).over).toBe(true)
  })

  it('is not over while the platform fails, with any answer', async () => {
    for (const status of [400, 403, 404, 409, 429, 500]) {
      world.interceptors.platform = refusing(isCall('GET', /\/(archive|broadcast)$/), status)
      expect((await watch()).over).toBe(false)
    }
    world.interceptors.platform = async () =>
      new Response('<html>', { headers: { 'content-type': 'application/json' } })
    expect((await watch()).over).toBe(false)
  })

  it('notifies once of a broadcast that can be watched, with its playlist', async () => {
    await watch()
    expect(sent('broadcast.live')).toEqual([])
    await world.clock.advance(20_000) // its playlist is not to be fetched before
    await watch()
    await watch()
    const hls = (await state())?.broadcasts[0]?.hls
    expect(hls).toMatch(/^http.*m3u8/)
    expect(sent('broadcast.live')).toMatchObject([{ name: 'live', part: 1, hls }])
  })

  it('finds a recording whose start was not noted by its tag, and notifies the owner', async () => {
    const [program] = show.recordings
    await world.services.shows.update('a-show', (latest) => ({
      ...latest,
      recordings: latest.recordings.map((one) =>
        one.name === 'program' ? { name: one.name, part: 1, tag: one.tag, problem: 'Its answer was lost.' } : one,
      ),
      timeline: latest.timeline.filter(({ name }) => name !== 'program'),
    }))
    await watch()
    expect((await state())?.recordings[0]).toEqual({ ...program, status: 'started' })
    expect(sent('recording.started').filter(({ name }) => name === 'program')).toHaveLength(2)
  })

  it('adopts a part that was started and is not in the state', async () => {
    const multiArchiveTag = 'a-show/program/2'
    const { body } = await world.platform.call('startArchive', { sessionId: show.sessionId, multiArchiveTag })
    await watch()
    expect((await state())?.recordings.map(({ name, part, archiveId }) => [name, part, archiveId])).toEqual([
      ['program', 1, show.recordings[0]?.archiveId],
      ['program', 2, body.id],
      ['speakers', 1, show.recordings[1]?.archiveId],
    ])
  })

  it('makes as many platform calls for fifty recordings as for one', async () => {
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
