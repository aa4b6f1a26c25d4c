import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Interceptor, isCall, losingAnswers, refusing } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, openShow, run, settled } from '../run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world)
})
afterEach(() => world.close())

type End = { reason: string | null; failure: { Error: string; Cause?: string } | null }
const stop = (end: End = { reason: 'The planned end was reached.', failure: null }) =>
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
      endReason: 'The planned end was reached.',
    })
  })

  it.each([
    [0, 'degraded', 'output.failed It was still connecting when the show ended.'],
    [2_000, 'succeeded', 'output.live'],
  ])('notes of an output that nothing has observed after %i ms: %s', async (milliseconds, status, noted) => {
    world.keepShowSecret('keys', { one: 'a stream key' })
    const target = { id: 'main', serverUrl: 'rtmp://live.example.com/app', streamName: { secret: 'keys#one' } }
    const broadcasts = [{ name: 'sent', rtmp: [target] }]
    const { sessionId } = await bringLive(world, { ...webinar, broadcasts }, 'short')
    const end = { showId: 'short', sessionId, reason: 'It ended.', failure: null }
    await world.clock.advance(milliseconds)
    await run(world, 'stopShow', end)
    const { timeline = [] } = (await world.services.records.readState('short')) ?? {}
    const entries = timeline.filter(({ what }) => what.startsWith('output.'))
    expect(entries.map(({ what, detail }) => [what, detail].filter(Boolean).join(' '))).toEqual([noted])
    const failures = world.ownerEvents.filter((event) => event['detail-type'] === 'output.failed')
    expect(failures).toHaveLength(status === 'degraded' ? 1 : 0)
    await settled(world)
    expect(await run(world, 'reportShow', end)).toMatchObject({ status })
  })

  it('keeps the first end and the first reason when it is repeated', async () => {
    await stop()
    const ended = await state()
    await world.clock.advance(5_000)
    expect(await stop({ reason: 'Another.', failure: null })).toEqual({ stopped: 0 })
    expect(await state()).toEqual(ended)
  })

  it.each([
    [{ reason: null, failure: { Error: 'States.Timeout' } }, 'A task took too long and was stopped.'],
    [{ reason: 'Ignored.', failure: { Error: 'X', Cause: '{"errorMessage":"It broke."}' } }, 'It broke.'],
    [{ reason: null, failure: null }, 'It was stopped.'],
  ])('notes the reason of the end: %j', async (end, endReason) => {
    await stop(end)
    expect((await state())?.endReason).toBe(endReason)
  })

  it('accepts that a resource had ended or its answer was lost', async () => {
    world.interceptors.platform = losingAnswers(isStopOfFirst)
    expect(await stop()).toEqual({ stopped: 2 }) // the repeated stop is answered 409
    expect(await running()).toBe(0)
  })

  it.each([404, 409])('continues after a %i', async (status) => {
    world.interceptors.platform = refusing(isStopOfFirst, status)
    expect(await stop()).toEqual({ stopped: 2 })
  })

  it.each([
    [503, 'PlatformUnavailableError'],
    [429, 'PlatformThrottledError'],
  ])('tries everything before it fails of a %i for a repetition, which stops the rest', async (status, name) => {
    world.interceptors.platform = refusing(isStopOfFirst, status)
    await expect(stop()).rejects.toMatchObject({ name })
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

  it('finds resources by their tags if their start was not noted', async () => {
    const { showId, sessionId, show: ordered } = await openShow(world, undefined, 'unnoted')
    await world.platform.join(sessionId)
    for (const { name } of ordered.recordings) await run(world, 'startRecording', { showId, sessionId, name })
    expect(await run(world, 'stopShow', { showId, sessionId, reason: null, failure: null })).toEqual({ stopped: 2 })
  })

  it('finds what lists do not show yet by the ids it noted', async () => {
    world.interceptors.platform = async (request, pass) =>
      isCall('GET', /\/(archive|broadcast)$/)(request) ? Response.json({ count: 0, items: [] }) : pass()
    expect(await stop()).toEqual({ stopped: 3 })
  })

  it('stops noted resources while nothing can be observed, and fails with a retryable error', async () => {
    world.interceptors.platform = refusing(isCall('GET', /\/(archive|broadcast)$/), 503)
    await expect(stop()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    world.interceptors.platform = (_request, pass) => pass()
    expect(await running()).toBe(0)
  })

  it('ends a show without a session, and makes no calls', async () => {
    await world.accept(webinar, 'bare')
    world.calls.length = 0
    expect(await run(world, 'stopShow', { showId: 'bare', sessionId: null, reason: null, failure: null })).toEqual({
      stopped: 0,
    })
    expect(world.calls).toEqual([])
    expect(await world.services.records.readState('bare')).toMatchObject({ status: 'ending', endedAt: world.now() })
  })

  it('reads the session from the state if the input has none', async () => {
    expect(await run(world, 'stopShow', { showId: 'a-show', sessionId: null, reason: null, failure: null })).toEqual({
      stopped: 3,
    })
  })

  it('reports a requested stop before any other reason', async () => {
    await world.services.shows.update('a-show', (latest) => ({ ...latest, stopAskedAt: world.now() }))
    await stop({ reason: 'Nothing could be started.', failure: null })
    expect((await state())?.endReason).toBe('It was stopped on request.')
  })

  it('stops every part', async () => {
    await world.platform.call('startArchive', { sessionId: show.sessionId, multiArchiveTag: 'a-show/program/2' })
    expect(await stop()).toEqual({ stopped: 4 })
  })
})

describe('stopShow, with scenes, dial-ins and announcements', () => {
  const scenes = [
    { name: 'title', url: 'https://scenes.example.com/title' },
    { name: 'lost', url: 'https://scenes.example.com/lost' },
  ]
  const dialIns = [{ name: 'studio', uri: 'sip:answer@example.com' }]
  const announcements = { recordingStopped: { type: 'recording', data: 'stopped' } }
  const stopRich = () =>
    run(world, 'stopShow', { showId: 'rich', sessionId: show.sessionId, reason: 'It ended.', failure: null })
  const rich = () => world.services.shows.state('rich')
  const composers = async () =>
    ((await world.platform.call('listComposers')).body.items as { status: string }[]).map(({ status }) => status)

  beforeEach(async () => {
    show = await bringLive(world, { ...webinar, scenes, dialIns, announcements }, 'rich')
    for (const { name } of scenes) await run(world, 'startScene', { showId: 'rich', sessionId: show.sessionId, name })
    await run(world, 'startDialIn', { showId: 'rich', sessionId: show.sessionId, name: 'studio' })
    await world.clock.advance(5_000)
  })

  it('stops scenes and calls too, also ones that were not noted', async () => {
    await world.services.shows.update('rich', (latest) => ({
      ...latest,
      scenes: latest.scenes.map((one) => (one.name === 'lost' ? { name: 'lost' } : one)),
    }))
    expect(await stopRich()).toEqual({ stopped: 6 })
    expect(await composers()).toEqual(['stopped', 'stopped'])
    expect((await rich()).dialIns).toMatchObject([{ name: 'studio', status: 'ended' }])
    expect((await rich()).timeline.filter(({ what }) => what === 'dialIn.ended')).toMatchObject([{ name: 'studio' }])
    expect(await stopRich()).toEqual({ stopped: 0 })
  })

  it('leaves the pages of others alone', async () => {
    const url = 'https://scenes.example.com/title'
    const elsewhere = await world.platform.createSession()
    const { token } = await world.platform.join(elsewhere)
    const { body } = await world.platform.call('startComposer', { sessionId: elsewhere, token, url })
    await stopRich()
    expect((await world.platform.call('getComposer', { composerId: body.id })).body.status).toBe('starting')
  })

  it.each([404, 409])('hangs up although the platform answers once that the call is over, by %i', async (status) => {
    const { connectionId } = (await rich()).dialIns[0] ?? {}
    world.interceptors.platform = refusing(isCall('DELETE', /\/connection\//), status, 1)
    await run(world, 'stopShow', { showId: show.showId, sessionId: show.sessionId, reason: 'Over.', failure: null })
    const again = await world.platform.call('forceDisconnect', { sessionId: show.sessionId, connectionId })
    expect(again.status).toBe(404) // it was hung up
    expect((await rich()).dialIns).toMatchObject([{ status: 'ended' }])
  })

  it('accepts that a call has ended', async () => {
    const { connectionId } = (await rich()).dialIns[0] ?? {}
    await world.platform.call('forceDisconnect', { sessionId: show.sessionId, connectionId })
    expect(await stopRich()).toEqual({ stopped: 5 })
    expect((await rich()).dialIns).toMatchObject([{ status: 'ended' }])
  })

  const signals = async () => {
    const { connectionId } = show.guest
    const path = `/sandbox/sessions/${show.sessionId}/participants/${connectionId}/signals`
    return (await world.platform.send('GET', path)).body.items as object[]
  }

  it('announces the end of the recording once, after it has stopped', async () => {
    world.interceptors.platform = refusing((request) => request.url.endsWith(`${firstArchive()}/stop`), 503, 3)
    await expect(stopRich()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect(await signals()).toEqual([])
    await stopRich()
    await stopRich()
    expect(await signals()).toMatchObject([{ type: 'recording', data: 'stopped' }])
  })

  it('announces nothing if no recording has started', async () => {
    await world.services.shows.update('rich', (latest) => ({
      ...latest,
      recordings: latest.recordings.map(({ name, part, tag }) => ({ name, part, tag, problem: 'It was refused.' })),
    }))
    await world.platform.call('stopArchive', { archiveId: firstArchive() })
    world.interceptors.platform = async (request, pass) =>
      isCall('GET', /\/archive$/)(request) ? Response.json({ count: 0, items: [] }) : pass()
    await stopRich()
    expect(await signals()).toEqual([])
  })

  it('ends although the announcement fails', async () => {
    world.interceptors.platform = refusing(isCall('POST', /signal$/), 500)
    expect(await stopRich()).toEqual({ stopped: 6 })
    expect((await rich()).timeline.map(({ what }) => what)).toContain('announcement.failed')
  })
})
