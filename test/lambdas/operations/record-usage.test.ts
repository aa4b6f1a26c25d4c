import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keys } from '../../../lib/show/state/keys.ts'
import { isCall, refusing } from '../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World } from '../../support/world.ts'
import { call } from '../api/call.ts'
import { bringLive, run } from '../run.ts'

const HOUR = 3_600_000
let world: World
const open = (changes = {}) => {
  world = openWorld(changes)
}
beforeEach(() => open())
afterEach(() => world.close())

const record = () => run(world, 'recordUsage', {})
const usageOf = (showId = 'a-show') => world.services.usageRecords.readShow(showId)
const awaiting = () => world.services.usageRecords.listAwaiting()

/** A show of ten minutes with a guest, which is over and settled. */
async function bringOver() {
  const { sessionId, guest, recordings } = await bringLive(world)
  await world.clock.advance(600_000)
  for (const { archiveId } of recordings) await world.platform.call('stopArchive', { archiveId })
  await guest.leave()
  await world.services.records.updateState('a-show', (state) => ({
    ...state,
    ...{ status: 'succeeded', startedAt: START_TIME, endedAt: world.now() },
  }))
  await world.services.records.settle('a-show')
  return { sessionId, endedAt: world.now() }
}

describe('recordUsage', () => {
  it('stores the usage of a show once Insights report it, and queries no more then', async () => {
    const { sessionId, endedAt } = await bringOver()
    expect(await awaiting()).toEqual(['a-show'])
    await world.clock.advance(47 * HOUR)
    expect((await record()).shows).toEqual([])
    await world.clock.advance(HOUR)
    expect((await record()).shows).toEqual(['a-show'])
    expect(await usageOf()).toMatchObject({
      ...{ version: 1, showId: 'a-show', sessionId, from: START_TIME, to: endedAt, askedAt: world.now() },
      minutes: { participantMinutes: 10, streamedPublishedMinutes: 10, streamedSubscribedMinutes: 0 },
      meetings: null,
    })
    expect(await awaiting()).toEqual([])
    expect((await call(world, 'GET /shows/a-show')).body.usage).toEqual(await usageOf())
    world.calls.length = 0
    await record()
    expect(world.calls).toEqual([])
  })

  it('stores the usage of a show that ended as soon as it had started', async () => {
    await bringOver()
    await world.services.records.updateState('a-show', (state) => ({ ...state, endedAt: START_TIME }))
    await world.clock.advance(49 * HOUR)
    expect((await record()).shows).toEqual(['a-show'])
    expect(await usageOf()).toMatchObject({
      ...{ from: START_TIME, to: new Date(Date.parse(START_TIME) + 1000).toISOString() },
      minutes: { participantMinutes: expect.any(Number) },
    })
    expect(await awaiting()).toEqual([])
  })

  it('stores the meetings of the show’s session after five minutes with the add-on, and the minutes later', async () => {
    await world.close()
    open({ INSIGHTS_PLAN: 'advanced' })
    const other = await world.platform.createSession()
    await world.platform.join(other)
    const { sessionId } = await bringOver()
    await world.clock.advance(299_000)
    expect((await record()).shows).toEqual([])
    await world.clock.advance(1_000)
    expect((await record()).shows).toEqual(['a-show'])
    expect(await usageOf()).toMatchObject({ minutes: null, meetings: [{ sessionId, totalConnections: 1 }] })
    expect(await awaiting()).toEqual(['a-show'])
    expect((await record()).shows).toEqual([])
    await world.clock.advance(48 * HOUR)
    expect((await record()).shows).toEqual(['a-show'])
    expect(await usageOf()).toMatchObject({ minutes: { participantMinutes: 20 }, meetings: [{ sessionId }] })
    expect(await awaiting()).toEqual([])
  })

  it('reports the quality of the show’s streams five minutes after its end with the add-on, once', async () => {
    await world.close()
    open({ INSIGHTS_PLAN: 'advanced' })
    const { sessionId } = await bringOver()
    expect(await call(world, 'GET /shows/a-show/quality')).toMatchObject({
      ...{ status: 404 },
      body: { detail: expect.stringContaining('after the show has ended') },
    })
    await world.clock.advance(300_000)
    await record()
    const { status, body } = await call(world, 'GET /shows/a-show/quality')
    expect([status, body]).toMatchObject([
      200,
      { showId: 'a-show', sessionId, askedAt: world.now(), streams: [{ direction: 'sent', samples: 20 }] },
    ])
    await world.clock.advance(HOUR)
    await record()
    expect((await call(world, 'GET /shows/a-show/quality')).body).toEqual(body)
  })

  it.each([
    [{ INSIGHTS_URL: 'none', INSIGHTS_PLAN: 'advanced' }, 'set platform.insightsUrl'],
    [{ INSIGHTS_PLAN: 'basic' }, 'set platform.insights to advanced'],
  ])('reports no quality with %j, and explains what to set', async (settings, words) => {
    await world.close()
    open(settings)
    await bringOver()
    await world.clock.advance(300_000)
    await record()
    expect(await call(world, 'GET /shows/a-show/quality')).toMatchObject({
      ...{ status: 404 },
      body: { detail: expect.stringContaining(words) },
    })
  })

  it('logs that a project has no add-on', async () => {
    await world.close()
    open({ INSIGHTS_PLAN: 'advanced' })
    await bringOver()
    await world.clock.advance(300_000)
    const answer = { data: null, errors: [{ message: 'Query requires the advanced add-on', errorCode: 1014 }] }
    world.interceptors.platform = async (request, pass) =>
      (await request.clone().text()).includes('sessionData') ? Response.json(answer) : pass()
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await record()
    expect(log.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
      { level: 'WARN', task: 'recordUsage', message: expect.stringContaining('no advanced Insights') },
      { message: 'done' },
    ])
    log.mockRestore()
    expect(await usageOf()).toMatchObject({ meetings: null })
  })

  it('stores each whole day once, and finds those again that were missed', async () => {
    await bringOver()
    await world.clock.advance(72 * HOUR)
    const { days } = await record()
    expect(days.at(-1)).toBe('2026-11-20')
    expect(days).toHaveLength(14)
    expect(await world.services.usageRecords.readDays('2026-11-20', '2026-11-20')).toMatchObject([
      { version: 1, date: '2026-11-20', askedAt: world.now(), minutes: { participantMinutes: 10 } },
    ])
    expect((await record()).days).toEqual([])
    await world.services.storage.delete(keys.dayUsage('2026-11-18'))
    await world.clock.advance(24 * HOUR)
    expect((await record()).days).toEqual(['2026-11-18', '2026-11-21'])
  })

  it('records the others when one fails, and names it', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await bringOver()
    await world.services.records.updateState('a-show', (state) => state)
    await world.services.storage.put(keys.awaitingUsage('broken'), '', 'text/plain')
    await world.services.storage.put(keys.state('broken'), '{}', 'application/json')
    await world.clock.advance(48 * HOUR)
    expect(await record()).toMatchObject({ shows: ['a-show'], failed: ['broken'] })
    expect(log.mock.calls.map(([line]) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 'ERROR', message: 'not recorded', of: 'broken' }),
    )
    expect(await usageOf()).toBeDefined()
    expect(await awaiting()).toEqual(['broken'])
  })

  it('fails when everything fails, so that it is called again: Insights cannot be asked', async () => {
    await bringOver()
    await world.clock.advance(48 * HOUR)
    world.interceptors.platform = refusing(isCall('POST', /graphql/), 503)
    await expect(record()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect(await awaiting()).toEqual(['a-show'])
  })

  it('awaits nothing of a show that used nothing, or that Insights have forgotten', async () => {
    await world.accept()
    await world.services.records.settle('a-show')
    expect(await record()).toMatchObject({ shows: [] })
    expect([await awaiting(), await usageOf()]).toEqual([[], undefined])
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      ...{ sessionId: 's', startedAt: START_TIME, endedAt: START_TIME },
    }))
    await world.services.records.settle('a-show')
    await world.clock.advance(91 * 24 * HOUR)
    await record()
    expect(await awaiting()).toEqual([])
  })

  it('does not query Insights without an URL in the deployment', async () => {
    await world.close()
    open({ INSIGHTS_URL: 'none' })
    await bringOver()
    await world.clock.advance(72 * HOUR)
    world.calls.length = 0
    expect(await record()).toEqual({ shows: [], days: [], failed: [] })
    expect([world.calls, await awaiting()]).toEqual([[], []])
  })
})
