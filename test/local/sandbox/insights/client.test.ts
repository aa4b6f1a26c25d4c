import { describe, expect, it } from 'vitest'
import { createPlatformClient } from '../../../../lib/platform/client/client.ts'
import type { PlatformError } from '../../../../lib/platform/client/errors.ts'
import { BASE } from '../open-sandbox.ts'
import { after, DAY, type Insights, MINUTE, openInsights, playScenario } from './ask.ts'

function createClient({ sandbox, clock, apiKey, apiSecret }: Insights) {
  return createPlatformClient({
    baseUrl: BASE,
    insightsUrl: `${BASE}/insights`,
    apiKey,
    apiSecret,
    clock,
    fetch: (url, init) => sandbox.fetch(new Request(url, init)),
  })
}

async function openScenario() {
  const world = openInsights()
  const scenario = await playScenario(world)
  await world.wait(15 * MINUTE)
  return { ...world, ...scenario, insights: createClient(world).insights }
}

async function failureOf(iterable: AsyncIterable<unknown>): Promise<PlatformError> {
  return Array.fromAsync(iterable).then(
    () => Promise.reject(new Error('It was to fail, but it did not.')),
    (error: PlatformError) => error,
  )
}

describe('the platform client’s insights', () => {
  it('report usage', async () => {
    const { insights, wait, join, createSession } = await openScenario()
    await join(await createSession())
    await wait(4 * DAY) // the last run had reached the 22nd at noon
    const daily = await Array.fromAsync(insights.usage({ start: after(0), interval: 'DAILY' }))
    expect(daily.map(({ intervalStart }) => intervalStart.slice(0, 10))).toEqual([
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
    ])
    expect(daily[0]?.usage).toMatchObject({ sdArchiveComposedMinutes: 15, individualArchiveMinutes: 0 })
    const request = { start: 0, end: after(60 * MINUTE), sdkType: ['JS'], groupBy: ['COUNTRY', 'BROWSER'] } as const
    expect(await Array.fromAsync(insights.usage(request))).toMatchObject([
      { country: 'DE', browser: 'Chrome', usage: { streamedPublishedMinutes: 30, streamedSubscribedMinutes: 15 } },
      { country: 'DE', browser: 'Firefox', usage: { streamedPublishedMinutes: 0, streamedSubscribedMinutes: 30 } },
    ])
  })

  it('report sessions', async () => {
    const { insights, sessionId } = await openScenario()
    expect(await Array.fromAsync(insights.sessions({ start: after(0) }))).toMatchObject([
      { sessionId, createdAt: after(0), totalConnections: 3, participantMinutes: 65 },
      { sessionId, createdAt: after(50 * MINUTE), totalConnections: 1, participantMinutes: 10 },
    ])
  })

  it('report the quality of streams, as published and as received', async () => {
    const { insights, sessionId, ada, bob, cleo } = await openScenario()
    const published = await Array.fromAsync(insights.quality({ sessionIds: [sessionId] }))
    expect(published).toMatchObject([
      { sessionId, connectionId: ada.connectionId, stream: { streamId: ada.streamId } },
      { sessionId, connectionId: bob.connectionId, stream: { streamId: bob.streamId } },
    ])
    expect(published.map(({ statistics }) => statistics.length)).toEqual([60, 30])
    expect(published[1]?.statistics[0]).toMatchObject({ hasAudio: true, hasVideo: false, videoBitrateKbps: null })
    const taken = await Array.fromAsync(insights.quality({ sessionIds: [sessionId], of: 'subscribers' }))
    expect(taken.map(({ connectionId, statistics }) => [connectionId, statistics.length])).toEqual([
      [bob.connectionId, 30],
      [cleo.connectionId, 40],
      [ada.connectionId, 30],
      [cleo.connectionId, 20],
    ])
    expect(taken[0]?.statistics[0]).toMatchObject({ subscribeToAudio: true })
  })

  it('report all samples of a stream of several days', async () => {
    const world = openInsights()
    const sessionId = await world.createSession()
    await world.join(sessionId)
    await world.wait(2 * DAY + 5 * MINUTE)
    const [stream] = await Array.fromAsync(createClient(world).insights.quality({ sessionIds: [sessionId] }))
    const times = stream?.statistics.map(({ createdAt }) => createdAt) ?? []
    expect([times.length, new Set(times).size, times.at(-1)]).toEqual([5_760, 5_760, after(2 * DAY)])
  })

  it('reject with the error class of the next step, and the code', async () => {
    const world = openInsights()
    const { insights } = createClient(world)
    const sessionId = await world.createSession()
    expect(await failureOf(insights.quality({ sessionIds: [sessionId] }))).toMatchObject({
      name: 'PlatformNotFoundError',
      details: { operation: 'queryInsights', errorCode: 1017, message: `Session not found.` },
    })
    expect(await failureOf(insights.sessions({ start: after(DAY) }))).toMatchObject({
      name: 'PlatformRequestError',
      details: { errorCode: 1002 },
    })
    const stranger = createClient({ ...world, apiSecret: 'another secret that is long enough' })
    expect(await failureOf(stranger.insights.usage({ start: 0 }))).toMatchObject({
      name: 'PlatformAuthError',
      status: 403,
      details: { errorCode: 1019, code: 403 },
    })
    const basic = openInsights({ advancedInsights: false })
    expect(await failureOf(createClient(basic).insights.sessions({ start: 0 }))).toMatchObject({
      name: 'PlatformRequestError',
      details: { errorCode: 1014 },
    })
  })
})
