import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../../../lib/show/document/show.ts'
import { observeShow } from '../../../../../lib/show/run/watch/watch-show.ts'
import { bringLive } from '../../../../lambdas/run.ts'
import { openWorld, type World, webinar } from '../../../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const HOUR = 3_600_000
const KEY = 'observation.json'
const log = { info() {}, warn() {}, error() {} }
const HOURS_LONG: ShowDocument = { ...webinar, duration: 7_200 }
const RECORDED_ONLY: ShowDocument = { version: 1, name: 'Talk', duration: 7_200, recordings: [{ name: 'program' }] }

/** Polls a show as a function that is warm. */
const poll = ({ showId, sessionId }: { readonly showId: string; readonly sessionId: string }) =>
  observeShow(world.services, { showId, sessionId }, log)
const bringAll = async (count: number, document = HOURS_LONG) => {
  const shows = []
  for (let index = 0; index < count; index++) shows.push(await bringLive(world, document, `show-${index}`))
  return shows
}
type Live = Awaited<ReturnType<typeof bringLive>>

/** Watches shows side by side, each when its own last poll said, for some seconds. Returns the number of polls. */
function createWatching(shows: readonly Live[]) {
  const next = new Map(shows.map((show) => [show, world.clock.now()]))
  return async (seconds: number): Promise<number> => {
    const end = world.clock.now() + seconds * 1000
    for (let polls = 0; ; polls++) {
      const [show, at] = [...next].reduce((first, one) => (one[1] < first[1] ? one : first))
      if (at > end) return polls
      if (at > world.clock.now()) await world.clock.advance(at - world.clock.now())
      next.set(show, Date.parse((await poll(show)).nextPollAt))
    }
  }
}
const watchAll = (shows: readonly Live[], seconds: number) => createWatching(shows)(seconds)

/** Returns what watching costs for an hour of one show, by some polls of each show after it has warmed up. */
async function costsOf(count: number, seconds: number) {
  const shows = await bringAll(count, RECORDED_ONLY)
  await world.clock.advance(90_000)
  const watch = createWatching(shows)
  await watch(60)
  world.calls.length = 0
  let writes = 0
  world.interceptors.aws = (request, pass) => {
    if (request.method === 'PUT') writes++
    return pass()
  }
  const polls = await watch(seconds)
  const hours = (count * seconds * 1000) / HOUR
  return { calls: world.calls.length / hours, polls: polls / hours, writes: writes / hours }
}

const recordings = async (showId: string) => (await world.services.records.readState(showId))?.recordings
const stored = async () => (await world.services.storage.readDocument(KEY))?.value

describe('observeTogether', () => {
  it('lets platform calls fall with the number of shows that are live', async () => {
    const one = await costsOf(1, 150)
    world = openWorld()
    const many = await costsOf(24, 156)
    expect(one.calls).toBe(72) // a list every 50 s
    expect(one.writes).toBe(0)
    expect(one.calls / many.calls).toBeGreaterThan(20)
    expect(many.polls).toBeLessThan(one.polls)
    expect(many.writes).toBeLessThan(10)
  })

  it('writes once and reads rarely for a show that is alone', async () => {
    const [show] = (await bringAll(1)) as [Live]
    const requests: string[] = []
    world.interceptors.aws = (request, pass) => {
      if (request.url.includes(KEY)) requests.push(request.method)
      return pass()
    }
    await watchAll([show], 900)
    expect(requests.filter((method) => method === 'PUT')).toHaveLength(1)
    expect(requests.filter((method) => method === 'GET').length).toBeLessThanOrEqual(7) // every 150 s
    expect(await stored()).toMatchObject({ by: show.showId, shows: 1 })
  })

  it('notices in a shared observation that an archive has ended, and reads only that one', async () => {
    const shows = (await bringAll(3)) as [Live, Live, Live]
    await watchAll(shows, 120)
    const [first, second, third] = shows
    await world.platform.call('stopArchive', { archiveId: second.recordings[0]?.archiveId })
    await world.clock.advance(30_000)
    await poll(first)
    world.calls.length = 0
    await poll(second)
    expect(world.calls).toEqual([`GET /archive/${second.recordings[0]?.archiveId}`])
    expect(await recordings(second.showId)).toMatchObject([{ status: 'uploaded' }, { status: 'started' }])
    world.calls.length = 0
    await poll(third)
    expect(world.calls).toEqual([])
    expect(await recordings(third.showId)).toMatchObject([{ status: 'started' }, { status: 'started' }])
  })

  it('lets a show that remains alone observe for itself again', async () => {
    const [first, second] = (await bringAll(2)) as [Live, Live]
    await watchAll([first, second], 120)
    expect(await stored()).toMatchObject({ shows: 2 })
    for (const { archiveId } of second.recordings) await world.platform.call('stopArchive', { archiveId })
    for (const { broadcastId } of second.broadcasts) await world.platform.call('stopBroadcast', { broadcastId })
    await watchAll([first], 120)
    expect(await stored()).toMatchObject({ by: first.showId, shows: 1 })
  })

  it('never trusts what it cannot read, and replaces it', async () => {
    const [show] = (await bringAll(1)) as [Live]
    const now = () => new Date(world.clock.now()).toISOString()
    const end = '2099-01-01T00:00:00.000Z'
    const empty = { neededAt: now(), items: [] }
    for (const text of [
      'not JSON',
      '[]',
      JSON.stringify({ version: 2, by: 'x', expiresAt: end, observedAt: now(), shows: 9, archives: empty }),
      JSON.stringify({
        version: 1,
        by: 'x',
        expiresAt: end,
        observedAt: end,
        shows: 9,
        archives: empty,
        broadcasts: empty,
      }),
    ]) {
      await world.services.storage.put(KEY, text, 'application/json')
      world.calls.length = 0
      await world.clock.advance(200_000)
      await poll(show)
      expect(world.calls.sort(), text).toEqual(['GET /archive', 'GET /broadcast'])
      expect(await stored(), text).toMatchObject({ version: 1, by: show.showId, shows: 1 })
    }
  })

  it('concludes nothing from a shared observation that lacks an archive: it reads the archive', async () => {
    const [first, second] = (await bringAll(2)) as [Live, Live]
    await watchAll([first, second], 120)
    const shared = (await stored()) as { archives: object }
    const observedAt = new Date(world.clock.now()).toISOString()
    const lacking = { ...shared, observedAt, archives: { ...shared.archives, items: [] } }
    await world.services.storage.put(KEY, JSON.stringify(lacking), 'application/json')
    await world.services.observations.read()
    world.calls.length = 0
    await poll(second)
    expect(world.calls.sort()).toEqual(second.recordings.map(({ archiveId }) => `GET /archive/${archiveId}`).sort())
    expect(await recordings(second.showId)).toMatchObject([{ status: 'started' }, { status: 'started' }])
  })

  it('observes for itself while the bucket does not answer for the shared observation', async () => {
    const [show] = (await bringAll(1)) as [Live]
    world.interceptors.aws = async (request, pass) =>
      request.url.includes(KEY) ? new Response('<Error><Code>SlowDown</Code></Error>', { status: 503 }) : pass()
    world.calls.length = 0
    expect(await poll(show)).toMatchObject({ over: false })
    expect(world.calls.sort()).toEqual(['GET /archive', 'GET /broadcast'])
  })
})
