import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShowResult } from '../../../lib/show/state/result.ts'
import { bringLive, bringWaiting } from '../../lambdas/api/call.ts'
import { manifest } from '../../lambdas/api/recordings/recording.ts'
import { openWorld, START_TIME, type World } from '../../support/world.ts'
import { createWorldClient } from './world-client.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const showId = 'a-show'
const { archiveId } = manifest

const end = (changes: Partial<ShowResult> = {}) =>
  world.services.records.writeResult({
    ...{
      version: 1,
      showId,
      name: 'Launch webinar',
      status: 'failed',
      reason: 'No participant connected.',
      labels: {},
    },
    ...{ acceptedAt: START_TIME, reportedAt: START_TIME },
    ...{ recordings: [], broadcasts: [], scenes: [], dialIns: [], automaticArchives: [], timeline: [] },
    ...changes,
  })

/** Creates a client of the world in which the polls of the show take these steps, one each. */
function clientThrough(...steps: (() => Promise<unknown>)[]) {
  const client = createWorldClient(world)
  client.seam.intercept = async (request, pass) => {
    if (request.url.includes('/shows/')) await steps.shift()?.()
    return pass()
  }
  return { ...client, left: steps }
}

const nothing = async () => {}

describe('waitFor', () => {
  it('resolves once a show is live', async () => {
    await bringWaiting(world)
    const { showrunner, delays, left } = clientThrough(...[nothing, nothing, nothing], () =>
      world.services.records.updateState(showId, (state) => ({ ...state, status: 'live', liveAt: START_TIME })),
    )
    expect(await showrunner.shows.waitFor(showId, 'live')).toMatchObject({ showId, status: 'live' })
    expect(left).toEqual([])
    expect(delays).toEqual([1_000, 2_000, 4_000])
  })

  it('gets the show again only when it has changed', async () => {
    await bringWaiting(world)
    const { showrunner, seam } = createWorldClient(world)
    const answers: [status: number, bytes: number][] = []
    seam.intercept = async (_request, pass) => {
      if (answers.length === 4)
        await world.services.records.updateState(showId, (state) => ({ ...state, status: 'live', liveAt: START_TIME }))
      const answer = await pass()
      answers.push([answer.status, (await answer.clone().arrayBuffer()).byteLength])
      return answer
    }
    expect(await showrunner.shows.waitFor(showId, 'live')).toMatchObject({ showId, status: 'live' })
    expect(answers.map(([status]) => status)).toEqual([200, 304, 304, 304, 200])
    expect(answers.slice(1, 4).map(([, bytes]) => bytes)).toEqual([0, 0, 0])
    expect(answers[0]?.[1]).toBeGreaterThan(500)
  })

  it('rejects when a show ended before it was live', async () => {
    await bringWaiting(world)
    const { showrunner } = clientThrough(nothing, () => end())
    await expect(showrunner.shows.waitFor(showId, 'live')).rejects.toMatchObject({
      type: 'show-ended',
      message: 'The show a-show ended before it was live: No participant connected.',
    })
  })

  it('resolves once a show has ended', async () => {
    await bringLive(world)
    const { showrunner, delays } = clientThrough(nothing, nothing, () => end({ status: 'succeeded' }))
    const { result } = await showrunner.shows.waitFor(showId, 'ended', { interval: 5_000 })
    expect(result?.status).toBe('succeeded')
    expect(delays).toEqual([5_000, 5_000])
  })

  it('resolves once every uploaded recording is published', async () => {
    await bringLive(world)
    const part = { name: 'program', part: 1, tag: 't', archiveId, status: 'uploaded' } as const
    const lost = { ...part, name: 'speakers', archiveId: 'lost', lost: 'It was never uploaded.' } as const
    const publish = (status: 'ready' | 'complete') =>
      world.services.records.writeManifest({ ...manifest, status }, async () => true)
    const { showrunner, left } = clientThrough(
      () => end({ status: 'failed', recordings: [{ ...part, key: manifest.source.key }, lost] }),
      () => publish('ready'),
      nothing,
      () => publish('complete'),
    )
    const { show, recordings } = await showrunner.shows.waitFor(showId, 'published')
    expect(show.result?.reason).toBe('No participant connected.')
    expect(recordings).toMatchObject([{ archiveId, status: 'complete' }])
    expect(left).toEqual([])
  })

  it('polls as late as its timeout, and rejects then with the status, or before with the reason of its signal', async () => {
    await bringWaiting(world)
    const { showrunner, delays } = createWorldClient(world)
    await expect(showrunner.shows.waitFor(showId, 'ended', { timeout: 70_000 })).rejects.toMatchObject({
      type: 'wait-timeout',
      message: 'The show a-show was not ended within 70 s: it is waiting. Wait again, or read the show.',
    })
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBe(70_000)
    const signal = AbortSignal.abort(new Error('Enough.'))
    await expect(showrunner.shows.waitFor(showId, 'ended', { signal })).rejects.toThrow('Enough.')
  })

  /** Creates a client whose API is unavailable from its second request on, for some seconds. */
  const clientInOutage = (seconds: number) => {
    const client = createWorldClient(world)
    const [from, to] = [world.clock.now() + 1, world.clock.now() + seconds * 1000]
    client.seam.intercept = async (_request, pass) =>
      world.clock.now() >= from && world.clock.now() < to
        ? Response.json({ message: 'Service Unavailable' }, { status: 503 })
        : pass()
    return client
  }

  it('waits through an outage of the API of some minutes, and rejects in a longer one', async () => {
    await bringWaiting(world)
    const short = clientInOutage(240)
    world.clock.at(world.clock.now() + 200_000, () => void end({ status: 'succeeded' }))
    expect(await short.showrunner.shows.waitFor(showId, 'ended')).toMatchObject({ result: { status: 'succeeded' } })
    world.close()
    world = openWorld()
    await bringWaiting(world)
    const long = clientInOutage(3_600)
    await expect(long.showrunner.shows.waitFor(showId, 'ended')).rejects.toMatchObject({ type: 'unavailable' })
    expect(long.delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(300_000)
  })

  it('rejects at once if the first poll fails', async () => {
    const { showrunner, seam, requests } = createWorldClient(world, { attempts: 1 })
    seam.intercept = () => Promise.reject(new TypeError('fetch failed'))
    await expect(showrunner.shows.waitFor(showId, 'ended')).rejects.toMatchObject({ type: 'no-answer' })
    expect(requests).toHaveLength(1)
  })

  it('rejects for an unknown show', async () => {
    const { showrunner } = createWorldClient(world)
    await expect(showrunner.shows.waitFor('none', 'live')).rejects.toMatchObject({ type: 'unknown-show' })
  })
})
