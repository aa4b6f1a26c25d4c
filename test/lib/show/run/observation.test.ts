import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { type ObservedShow, observe, tryToObserve } from '../../../../lib/show/run/observation.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'

let world: World
let sessionId: string
beforeEach(async () => {
  world = openWorld()
  sessionId = await world.platform.createSession()
  await world.platform.join(sessionId)
})
afterEach(() => world.close())

const archive = async (tag?: string): Promise<string> =>
  (await world.platform.call('startArchive', { sessionId, ...(tag && { multiArchiveTag: tag }) })).body.id
const broadcast = async (tag: string): Promise<string> =>
  (await world.platform.call('startBroadcast', { sessionId, multiBroadcastTag: tag, outputs: { hls: {} } })).body.id
const idsOf = (seen: readonly { id: string }[]) => seen.map(({ id }) => id)

/** A show to observe, with changes of its state. */
async function lookAt(changes: Partial<ShowState> = {}, document: ShowDocument = webinar): Promise<ObservedShow> {
  const { show } = await world.accept(document, 'one')
  const state = await world.services.shows.state('one')
  return { show, state: { ...state, ...changes }, sessionId, extent: 'newest' }
}
const see = async (look: ObservedShow) => observe(await world.services.platform(), look)

describe('observe', () => {
  it('sees what carries the show’s tags, and nothing of others, in two calls', async () => {
    const [program, speakers] = [await archive('one/program/1'), await archive('one/speakers/1')]
    await archive('one-more/program/1')
    await archive('somebody else’s')
    const live = await broadcast('one/live/1')
    await broadcast('two/live/1')
    const seen = await see(await lookAt())
    expect(idsOf(seen.archives).sort()).toEqual([program, speakers].sort())
    expect(idsOf(seen.broadcasts)).toEqual([live])
    expect(world.calls.sort()).toEqual(['GET /archive', 'GET /broadcast'])
  })

  it('asks for no broadcasts and composers of a show that has none', async () => {
    await see(await lookAt({}, { ...webinar, broadcasts: [] }))
    expect(world.calls).toEqual(['GET /archive'])
  })

  it('finds at the end a broadcast by its tag that was not noted', async () => {
    const added = await broadcast('one/late/1')
    const look = await lookAt({}, { ...webinar, broadcasts: [] })
    expect(idsOf((await see({ ...look, extent: 'all' })).broadcasts)).toEqual([added])
  })

  it('reads one page while watching, and every page at the end', async () => {
    world.interceptors.platform = async (request, pass) => {
      const response = await pass()
      if (!isCall('GET', /\/archive$/)(request)) return response
      return Response.json({ ...((await response.json()) as object), count: 2_000 })
    }
    await archive('one/program/1')
    const look = await lookAt()
    await see(look)
    expect(world.calls.filter((call) => call === 'GET /archive')).toHaveLength(1)
    world.calls.length = 0
    await see({ ...look, extent: 'all' })
    expect(world.calls.filter((call) => call === 'GET /archive')).toHaveLength(2)
  })

  it('reads one by one what ought to run and the lists left out: a lagging archive, a broadcast that has ended', async () => {
    const [listed, lagging] = [await archive('one/program/1'), await archive('one/speakers/1')]
    const live = await broadcast('one/live/1')
    await world.platform.call('stopBroadcast', { broadcastId: live })
    world.interceptors.platform = async (request, pass) => {
      const response = await pass()
      if (!isCall('GET', /\/archive$/)(request)) return response
      const page = (await response.json()) as { items: { id: string }[] }
      return Response.json({ count: 1, items: page.items.filter(({ id }) => id !== lagging) })
    }
    const part = (name: string, archiveId: string, status: 'started' | 'uploaded') => ({
      ...{ name, part: 1, tag: `one/${name}/1`, archiveId, status },
    })
    const seen = await see(
      await lookAt({
        recordings: [
          part('program', listed, 'started'),
          part('speakers', lagging, 'started'),
          part('old', 'not to be asked for', 'uploaded'),
        ],
        broadcasts: [{ name: 'live', part: 1, tag: 'one/live/1', broadcastId: live, status: 'started' }],
      }),
    )
    expect(idsOf(seen.archives)).toEqual([listed, lagging])
    expect(seen.broadcasts).toMatchObject([{ id: live, status: 'stopped' }])
    expect(world.calls.sort()).toEqual([
      ...['GET /archive', `GET /archive/${lagging}`, 'GET /broadcast', `GET /broadcast/${live}`],
    ])
  })

  const unknown = '00000000-0000-4000-8000-000000000000'
  const gone: Partial<ShowState> = {
    recordings: [{ name: 'program', part: 1, tag: 'one/program/1', archiveId: unknown, status: 'started' }],
    broadcasts: [{ name: 'live', part: 1, tag: 'one/live/1', broadcastId: '0'.repeat(32), status: 'started' }],
  }

  it('names broadcasts that the platform does not know any more', async () => {
    expect(await see(await lookAt(gone))).toMatchObject({ archives: [], broadcasts: [], gone: ['0'.repeat(32)] })
  })

  it('does not treat a failure as an absence', async () => {
    world.interceptors.platform = refusing(isCall('GET', /\/archive\/./), 500)
    await expect(see(await lookAt(gone))).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
  })

  it('distinguishes automatic archives from other ones', async () => {
    sessionId = await world.platform.createSession({ archiveMode: 'always', 'p2p.preference': 'disabled' })
    await world.platform.join(sessionId)
    await world.clock.advance(0)
    await archive('somebody else’s')
    const look = await lookAt({}, { ...webinar, session: { archiveMode: 'always' } })
    expect((await see(look)).automatic).toHaveLength(1)
    expect((await see(await lookAt())).archives).toEqual([])
  })
})

describe('tryToObserve', () => {
  const attempt = async () => tryToObserve(await world.services.platform(), await lookAt())

  it.each([400, 403, 404, 429, 500])('returns the problem when a list is answered %i', async (status) => {
    world.interceptors.platform = refusing(isCall('GET', /\/broadcast$/), status)
    expect((await attempt()).problem).toMatchObject({ status })
  })
})
