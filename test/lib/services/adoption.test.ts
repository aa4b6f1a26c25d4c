import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startOrAdoptArchive, startOrAdoptBroadcast, tagOfArchive } from '../../../lib/services/adoption.ts'
import { broadcastOrder, recordingOrder } from '../../../lib/workflow/show.ts'
import { isCall, losingAnswers, openWorld, refusing, type World } from '../../support/world.ts'

let world: World
let sessionId: string
let guest: Awaited<ReturnType<World['platform']['join']>>
beforeEach(async () => {
  world = openWorld()
  sessionId = await world.platform.createSession()
  guest = await world.platform.join(sessionId)
})
afterEach(() => world.close())

const isStart = isCall('POST', /\/(archive|broadcast)$/)
const recording = recordingOrder.parse({ name: 'program', resolution: '1280x720', hasAudio: false })
const broadcast = broadcastOrder.parse({ name: 'live', hls: {} })
const startArchive = async () =>
  startOrAdoptArchive(await world.services.platform(), { showId: 'one', sessionId, order: recording })
const startBroadcast = async () =>
  startOrAdoptBroadcast(await world.services.platform(), { showId: 'one', sessionId, order: broadcast }, 900)
const archives = async () => (await world.platform.call('listArchives', { sessionId })).body.items
const broadcasts = async () => (await world.platform.call('listBroadcasts', { sessionId })).body.items

/** The answer of a list in which nothing is to be seen yet. */
const emptyList = async () => Response.json({ count: 0, items: [] })

describe('startOrAdoptArchive', () => {
  it('starts an archive that carries its tag twice over, as tag and as name', async () => {
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
    await startOrAdoptArchive(await world.services.platform(), { showId: 'two', sessionId, order: recording })
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
  ])('adopts the one there is when it is %s', async (status, bring) => {
    const first = await startArchive()
    await bring(first.id)
    await world.clock.advance(0)
    expect(await startArchive()).toMatchObject({ id: first.id, status })
    expect(await archives()).toHaveLength(1)
  })

  it('adopts what a lost answer has started', async () => {
    world.interceptors.platform = losingAnswers(isStart)
    const archive = await startArchive()
    expect(await archives()).toMatchObject([{ id: archive.id }])
    expect(world.calls.filter((call) => call === 'POST /archive')).toHaveLength(1)
  })

  it('adopts after a conflict, when the list had not shown it before', async () => {
    const first = await startArchive()
    let lists = 0
    world.interceptors.platform = (request, pass) => (request.method === 'GET' && ++lists === 1 ? emptyList() : pass())
    expect((await startArchive()).id).toBe(first.id)
    expect(world.calls.filter((call) => call === 'POST /archive')).toHaveLength(2)
    expect(await archives()).toHaveLength(1)
  })

  it('knows an archive by its name where lists leave the tag out', async () => {
    const first = await startArchive()
    world.interceptors.platform = async (request, pass) => {
      const response = await pass()
      if (request.method !== 'GET') return response
      const page = (await response.json()) as { items: Record<string, unknown>[] }
      return Response.json({ ...page, items: page.items.map(({ multiArchiveTag: _, ...item }) => item) })
    }
    expect((await startArchive()).id).toBe(first.id)
  })

  it('says what the platform says when there is nothing to adopt', async () => {
    await guest.leave()
    await expect(startArchive()).rejects.toMatchObject({ name: 'PlatformNotFoundError' })
    world.interceptors.platform = refusing(isStart, 409)
    await expect(startArchive()).rejects.toMatchObject({ name: 'PlatformConflictError' })
  })
})

describe('startOrAdoptBroadcast', () => {
  it('starts a broadcast with its tag, its outputs and a time at which it ends by itself', async () => {
    expect(await startBroadcast()).toMatchObject({
      status: 'started',
      multiBroadcastTag: 'one/live/1',
      maxDuration: 900,
      broadcastUrls: { hls: expect.stringMatching(/index\.m3u8$/) },
    })
  })

  it('adopts the running one, also after a lost answer', async () => {
    world.interceptors.platform = losingAnswers(isStart)
    const first = await startBroadcast()
    expect((await startBroadcast()).id).toBe(first.id)
    expect(await broadcasts()).toHaveLength(1)
  })

  it('starts another when the first has ended: at most one runs', async () => {
    const first = await startBroadcast()
    await world.platform.call('stopBroadcast', { broadcastId: first.id })
    expect((await startBroadcast()).id).not.toBe(first.id)
    expect(await broadcasts()).toHaveLength(1)
  })
})

describe('tagOfArchive', () => {
  it('prefers the tag and falls back to the name', () => {
    expect(tagOfArchive({ multiArchiveTag: 'a', name: 'b' })).toBe('a')
    expect(tagOfArchive({ name: 'b' })).toBe('b')
    expect(tagOfArchive({ name: null })).toBeUndefined()
  })
})
