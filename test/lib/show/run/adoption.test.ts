import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findComposer, findComposers, startOrAdopt, startOrAdoptComposer } from '../../../../lib/show/run/adoption.ts'
import { carriedTag, composedResources, findTagged } from '../../../../lib/show/run/composed-resources.ts'
import { type Interceptor, isCall, laggingLists, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World } from '../../../support/world.ts'

let world: World
let sessionId: string
let guest: Awaited<ReturnType<World['platform']['join']>>
/** Milliseconds that the clock slept. */
let slept: number[]
beforeEach(async () => {
  world = openWorld()
  slept = []
  sessionId = await world.platform.createSession()
  guest = await world.platform.join(sessionId)
})
afterEach(() => world.close())

const URL = 'https://scenes.example.com/lower-third'
const isStart = isCall('POST', /\/(archive|broadcast|render)$/)
const place = async () => {
  const sleep = async (ms: number) => {
    slept.push(ms)
  }
  return { platform: await world.services.platform(), clock: { ...world.clock, sleep } }
}
const startArchive = async (tag = 'one/program/1', session = sessionId, platformUntil?: number) => {
  const { platform, clock } = await place()
  const order = async () => ({ resolution: '1280x720' as const, hasAudio: false })
  return startOrAdopt(
    { clock, platformUntil },
    composedResources(platform).recordings,
    { sessionId: session, tag },
    order,
  )
}
const startBroadcast = async () => {
  const { platform, clock } = await place()
  const order = async () => ({ outputs: { hls: {} }, maxDuration: 900 })
  return startOrAdopt({ clock }, composedResources(platform).broadcasts, { sessionId, tag: 'one/live/1' }, order)
}
const archives = async () => (await world.platform.call('listArchives', { sessionId })).body.items
const broadcasts = async () => (await world.platform.call('listBroadcasts', { sessionId })).body.items
const starts = () => world.calls.filter((call) => call.startsWith('POST'))

/** Lets matching requests pass, and makes their answers unreadable. */
const garbling =
  (isMeant: (request: Request) => boolean): Interceptor =>
  async (request, pass) => {
    const response = await pass()
    return isMeant(request) ? Response.json({ surprise: true }, { status: response.status }) : response
  }

describe('startOrAdopt with archives', () => {
  it('starts an archive with its tag as tag and as name', async () => {
    expect(await startArchive()).toMatchObject({
      status: 'started',
      name: 'one/program/1',
      multiArchiveTag: 'one/program/1',
      resolution: '1280x720',
      hasAudio: false,
    })
  })

  it('starts another for another show in the same session', async () => {
    await startArchive()
    await startArchive('two/program/1')
    expect(await archives()).toHaveLength(2)
  })

  it.each([
    ['started', async () => {}],
    ['paused', () => guest.leave()],
    ['available', (id: string) => world.platform.call('stopArchive', { archiveId: id })],
    [
      'uploaded',
      async (id: string) => {
        await world.aimUploads()
        await world.platform.call('stopArchive', { archiveId: id })
      },
    ],
    [
      'failed',
      async (id: string) => {
        await world.aimUploads('elsewhere', 'none')
        await world.platform.call('stopArchive', { archiveId: id })
      },
    ],
    [
      'expired',
      async (id: string) => {
        await world.platform.call('stopArchive', { archiveId: id })
        await world.clock.advance(73 * 3_600_000)
      },
    ],
  ])('adopts the existing archive when it is %s', async (status, bring) => {
    const first = await startArchive()
    await bring(first.id)
    await world.clock.advance(0)
    expect(await startArchive()).toMatchObject({ id: first.id, status })
    expect(await archives()).toHaveLength(1)
  })

  it('adopts the archive of a start whose answer was lost', async () => {
    world.interceptors.platform = losingAnswers(isStart)
    const archive = await startArchive()
    expect(await archives()).toMatchObject([{ id: archive.id }])
    expect(world.calls.filter((call) => call === 'POST /archive')).toHaveLength(1)
  })

  it.each([1, 2, 6])('adopts after a conflict an archive that %i lists do not show yet', async (lists) => {
    const first = await startArchive()
    world.interceptors.platform = laggingLists(lists)
    expect((await startArchive()).id).toBe(first.id)
    expect(slept).toHaveLength(lists - 1)
    expect(await archives()).toHaveLength(1)
  })

  it('polls for half a minute after a conflict', async () => {
    await startArchive()
    world.interceptors.platform = laggingLists(Number.POSITIVE_INFINITY)
    await expect(startArchive()).rejects.toMatchObject({ name: 'PlatformConflictError' })
    expect(slept.reduce((sum, ms) => sum + ms)).toBe(30_000)
  })

  it('does not poll after the deadline of its request', async () => {
    await startArchive()
    world.interceptors.platform = laggingLists(Number.POSITIVE_INFINITY)
    const until = world.clock.now() + 4_500
    const started = startArchive('one/program/1', sessionId, until)
    await expect(started).rejects.toMatchObject({ name: 'PlatformConflictError' })
    expect(slept).toEqual([1_000, 2_000, 4_000])
  })

  it('adopts the resource of a start whose answer is unreadable', async () => {
    world.interceptors.platform = garbling(isStart)
    expect(await startArchive()).toMatchObject({ multiArchiveTag: 'one/program/1' })
    expect(await archives()).toHaveLength(1)
  })

  it('reports a relayed session without polling', async () => {
    const relayed = await world.platform.createSession({ 'p2p.preference': 'enabled' })
    await world.platform.join(relayed)
    await expect(startArchive('one/program/1', relayed)).rejects.toMatchObject({
      name: 'PlatformConflictError',
      status: 409,
      message: expect.stringMatching(/^The session is relayed, .*: create it with p2p\.preference disabled/),
    })
    expect(slept).toEqual([])
  })

  it('recognizes an archive by its name where lists omit the tag', async () => {
    const first = await startArchive()
    world.interceptors.platform = async (request, pass) => {
      const response = await pass()
      if (request.method !== 'GET') return response
      const page = (await response.json()) as { items: Record<string, unknown>[] }
      return Response.json({ ...page, items: page.items.map(({ multiArchiveTag: _, ...item }) => item) })
    }
    expect((await startArchive()).id).toBe(first.id)
  })

  it('rethrows the error when there is nothing to adopt', async () => {
    await guest.leave()
    await expect(startArchive()).rejects.toMatchObject({ name: 'PlatformNotFoundError' })
    world.interceptors.platform = refusing(isStart, 503)
    await expect(startArchive()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect(slept).toEqual([]) // the caller retries
  })
})

describe('startOrAdopt with broadcasts', () => {
  it('starts a broadcast with its tag, its outputs and a maximum duration', async () => {
    expect(await startBroadcast()).toMatchObject({
      status: 'started',
      multiBroadcastTag: 'one/live/1',
      maxDuration: 900,
      broadcastUrls: { hls: expect.stringMatching(/index\.m3u8$/) },
    })
  })

  it('adopts the running broadcast, also after a lost answer', async () => {
    world.interceptors.platform = losingAnswers(isStart)
    const first = await startBroadcast()
    expect((await startBroadcast()).id).toBe(first.id)
    expect(await broadcasts()).toHaveLength(1)
  })

  it('starts another when the first has ended, so that at most one runs', async () => {
    const first = await startBroadcast()
    await world.platform.call('stopBroadcast', { broadcastId: first.id })
    expect((await startBroadcast()).id).not.toBe(first.id)
    expect(await broadcasts()).toHaveLength(1)
  })
})

describe('startOrAdoptComposer', () => {
  const mark = { acceptedAt: START_TIME, urls: [URL] }
  const start = async (claimed: string[] = [], acceptedAt = START_TIME) =>
    startOrAdoptComposer(await place(), { ...mark, sessionId, acceptedAt, claimed }, async () => ({
      ...{ sessionId, url: URL },
      token: await world.services.project.publisherToken(sessionId, {}),
    }))
  const all = async () => (await world.platform.call('listComposers')).body.items

  it('starts a composer, and adopts an existing one', async () => {
    const first = await start()
    expect(first).toMatchObject({ sessionId, url: URL, status: 'starting' })
    expect((await start()).id).toBe(first.id)
    expect(await all()).toHaveLength(1)
  })

  it.each([1, 2, 6])('starts one composer although its answer was lost and %i lists do not show it', async (lists) => {
    world.interceptors.platform = laggingLists(lists, losingAnswers(isStart))
    const { id } = await start()
    expect(await all()).toMatchObject([{ id }])
    expect(starts()).toHaveLength(1)
  })

  it('adopts the resource of a start whose answer is unreadable', async () => {
    world.interceptors.platform = garbling(isStart)
    const { id } = await start()
    expect(await all()).toMatchObject([{ id }])
  })

  it('rethrows a failure when polling finds nothing', async () => {
    world.interceptors.platform = refusing(isStart, 503)
    await expect(start()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect(starts()).toHaveLength(1)
    expect(slept.reduce((sum, ms) => sum + ms)).toBe(30_000)
  })

  it('does not poll after a refusal, because nothing was started', async () => {
    world.interceptors.platform = refusing(isStart, 400)
    await expect(start()).rejects.toMatchObject({ name: 'PlatformRequestError' })
    expect(slept).toEqual([])
  })

  it('adopts the oldest composer that is not another scene', async () => {
    const first = await start()
    const second = await start([first.id])
    expect(second.id).not.toBe(first.id)
    await world.clock.advance(1_000)
    expect((await start()).id).toBe(first.id)
    expect((await start([first.id])).id).toBe(second.id)
  })

  it('adopts no composer of another session', async () => {
    const { id } = await start()
    sessionId = await world.platform.createSession()
    expect((await start()).id).not.toBe(id)
  })

  it('adopts no composer that has ended', async () => {
    const { id } = await start()
    await world.clock.advance(5_000)
    await world.platform.call('stopComposer', { composerId: id })
    expect((await start()).id).not.toBe(id)
  })

  it('adopts a composer of a platform whose clock is behind', async () => {
    const { id } = await start()
    expect((await start([], new Date(world.clock.now() + 10_000).toISOString())).id).toBe(id)
  })

  it('adopts no composer that is older than the show', async () => {
    const { id } = await start()
    await world.clock.advance(10_001)
    expect((await start([], new Date(world.clock.now()).toISOString())).id).not.toBe(id)
  })

  it('finds a composer that is not on the first page', async () => {
    const { id } = await start()
    world.interceptors.platform = async (request, pass) => {
      const { searchParams, pathname } = new globalThis.URL(request.url)
      if (request.method !== 'GET' || !pathname.endsWith('/render')) return pass()
      const page = (await (await pass()).json()) as { items: { id: string }[] }
      const others = Array.from({ length: 1_000 }, (_, index) => ({
        ...page.items[0],
        id: `${index}`,
        url: 'https://other.example.com',
      }))
      const items =
        searchParams.get('offset') === '0'
          ? others
          : [{ ...(await world.platform.call('listComposers')).body.items[0] }]
      return Response.json({ count: 1_001, items })
    }
    expect((await start()).id).toBe(id)
    expect(starts()).toHaveLength(1)
  })

  it('finds all composers of a show, also ended ones', async () => {
    const { id } = await start()
    await world.clock.advance(5_000)
    await world.platform.call('stopComposer', { composerId: id })
    const { platform } = await place()
    expect(await findComposers(platform, { ...mark, sessionId })).toMatchObject([{ id, status: 'stopped' }])
    expect(await findComposer(platform, { ...mark, sessionId, claimed: [] })).toBeUndefined()
  })
})

describe('findTagged', () => {
  it('finds only the resource that carries the tag', async () => {
    const { recordings, broadcasts } = composedResources(await world.services.platform())
    const archive = await startArchive()
    const broadcast = await startBroadcast()
    expect(await findTagged(recordings, sessionId, 'one/program/1')).toMatchObject({ id: archive.id })
    expect(await findTagged(broadcasts, sessionId, 'one/live/1')).toMatchObject({ id: broadcast.id })
    expect(await findTagged(recordings, sessionId, 'one/live/1')).toBeUndefined()
    expect(await findTagged(broadcasts, sessionId, 'one/program/1')).toBeUndefined()
  })
})

describe('carriedTag', () => {
  it('prefers the tag and falls back to the name', () => {
    expect(carriedTag({ multiArchiveTag: 'a', name: 'b' })).toBe('a')
    expect(carriedTag({ name: 'b' })).toBe('b')
    expect(carriedTag({ name: null })).toBeUndefined()
  })
})
