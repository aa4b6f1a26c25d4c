import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Interceptor, isCall, losingAnswers, openWorld, refusing, type World } from '../support/world.ts'
import { bringLive, openShow, run } from './run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world)
})
afterEach(() => world.close())

type End = { reason: string | null; failure: { Error: string; Cause?: string } | null }
const stop = (end: End = { reason: 'The planned end came.', failure: null }) =>
  run(world, 'stopShow', { showId: show.showId, sessionId: show.sessionId, ...end })
const state = async () => world.services.records.readState('a-show')
const running = async () => {
  const { sessionId } = show
  const archives = (await world.platform.call('listArchives', { sessionId })).body.items as { status: string }[]
  const broadcasts = (await world.platform.call('listBroadcasts', { sessionId })).body.items as unknown[]
  return archives.filter(({ status }) => status === 'started').length + broadcasts.length
}
const firstArchive = () => show.recordings[0]?.archiveId ?? ''
const isStopOfFirst = (request: Request) => request.url.endsWith(`${firstArchive()}/stop`)

describe('stopShow', () => {
  it('stops everything the show runs, notes why and when, and nothing of others', async () => {
    const other = await world.platform.call('startArchive', { sessionId: show.sessionId, multiArchiveTag: 'other' })
    expect(await stop()).toEqual({ stopped: 3 })
    expect(await running()).toBe(1)
    expect((await world.platform.call('getArchive', { archiveId: other.body.id })).body.status).toBe('started')
    expect(await state()).toMatchObject({
      status: 'ending',
      endedAt: world.now(),
      endReason: 'The planned end came.',
    })
  })

  it('keeps the first end and the first reason when it is repeated', async () => {
    await stop()
    const ended = await state()
    await world.clock.advance(5_000)
    expect(await stop({ reason: 'Another.', failure: null })).toEqual({ stopped: 0 })
    expect(await state()).toEqual(ended)
  })

  it.each([
    [{ reason: null, failure: { Error: 'States.Timeout' } }, 'A step took too long and was given up.'],
    [{ reason: 'Ignored.', failure: { Error: 'X', Cause: '{"errorMessage":"It broke."}' } }, 'It broke.'],
    [{ reason: null, failure: null }, 'It was stopped.'],
  ])('says in words why it ended: %j', async (end, endReason) => {
    await stop(end)
    expect((await state())?.endReason).toBe(endReason)
  })

  it('takes what had ended meanwhile, or whose answer was lost, for stopped', async () => {
    world.interceptors.platform = losingAnswers(isStopOfFirst)
    expect(await stop()).toEqual({ stopped: 2 }) // the repeated stop is answered 409
    expect(await running()).toBe(0)
  })

  it.each([404, 409])('goes on after a %i', async (status) => {
    world.interceptors.platform = refusing(isStopOfFirst, status)
    expect(await stop()).toEqual({ stopped: 2 })
  })

  it('tries everything before it fails for a repetition, which stops the rest', async () => {
    world.interceptors.platform = refusing(isStopOfFirst, 503)
    await expect(stop()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect(await running()).toBe(1)
    world.interceptors.platform = (_request, pass) => pass()
    expect(await stop()).toEqual({ stopped: 1 })
    expect(await running()).toBe(0)
  })

  it('fails with what may pass rather than with what will not, so that the task is repeated', async () => {
    const denied = refusing(isStopOfFirst, 400)
    const unavailable = refusing(isCall('POST', /broadcast\/.*\/stop$/), 503)
    const both: Interceptor = (request, pass) => denied(request, () => unavailable(request, pass))
    world.interceptors.platform = both
    await expect(stop()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect(await running()).toBe(2)
  })

  it('finds what was started by its tags when nobody noted that it was', async () => {
    const { showId, sessionId, show: ordered } = await openShow(world, undefined, 'unnoted')
    await world.platform.join(sessionId)
    for (const recording of ordered.recordings) await run(world, 'startRecording', { showId, sessionId, recording })
    expect(await run(world, 'stopShow', { showId, sessionId, reason: null, failure: null })).toEqual({ stopped: 2 })
  })

  it('finds what lists do not show yet by the ids it noted', async () => {
    world.interceptors.platform = async (request, pass) =>
      isCall('GET', /\/(archive|broadcast)$/)(request) ? Response.json({ count: 0, items: [] }) : pass()
    expect(await stop()).toEqual({ stopped: 3 })
  })
})
