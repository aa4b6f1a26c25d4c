import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handler } from '../../../../lambdas/api/api.ts'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { invoke, openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, bringWaiting, call, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const stop = (key?: string) => call(world, 'POST /shows/a-show/stop', key === undefined ? {} : { key })
const runbook = readFileSync(new URL('../../../../docs/runbook.md', import.meta.url), 'utf8')
const runningArchives = async (sessionId: string) =>
  (await world.platform.call('listArchives', { sessionId })).body.items.filter(
    ({ status }: { status: string }) => status === 'started',
  )
const runningBroadcasts = async (sessionId: string) =>
  (await world.platform.call('listBroadcasts', { sessionId })).body.items

describe('POST /shows/{id}/stop', () => {
  it('stops a show by the command of the runbook for an API that refuses everyone', async () => {
    const { sessionId } = await bringLive(world)
    const [, payload = ''] = /^aws lambda invoke [^']+'(\{[^']+\})'$/m.exec(runbook) ?? []
    const event = JSON.parse(payload.replaceAll('ID', 'a-show'))
    expect(await invoke(handler, world.services, event)).toMatchObject({ statusCode: 200 })
    expect(await runningArchives(sessionId)).toEqual([])
  })

  it('stops archives and broadcasts within the call, and lets nothing start any more', async () => {
    const { sessionId } = await bringLive(world)
    const { status, body } = await stop('key')
    expect(status).toBe(200)
    expect(body).toEqual({
      showId: 'a-show',
      control: expect.stringMatching(/^[0-9a-f]{40}$/),
      timeline: [
        {
          at: world.now(),
          what: 'control.stop',
          id: body.control,
          by: 'app',
          detail: '3 archives and broadcasts were stopped at once.',
        },
      ],
    })
    expect(await runningArchives(sessionId)).toEqual([])
    expect(await runningBroadcasts(sessionId)).toEqual([])
    expect(await stateOf(world)).toMatchObject({
      stopAskedAt: world.now(),
      controls: [{ id: body.control, done: true }],
    })
  })

  it('answers a repeated key as before', async () => {
    await bringLive(world)
    const first = await stop('key')
    world.calls.length = 0
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      status: 'ending',
      endedAt: world.now(),
    }))
    expect(await stop('key')).toEqual(first)
    expect(world.calls).toEqual([])
  })

  it('stops scenes and dial-ins as well', async () => {
    const { sessionId } = await bringLive(world, {
      ...webinar,
      scenes: [{ name: 'title', url: 'https://scenes.example.com/title' }],
    })
    const url = 'https://scenes.example.com/title'
    const token = await world.services.project.publisherToken(sessionId, { data: 'title' })
    const { body: composer } = await world.platform.call('startComposer', { sessionId, token, url })
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      scenes: [{ name: 'title', composerId: composer.id, status: 'started' }],
    }))
    const dialed = await call(world, 'POST /shows/a-show/dial-ins', {
      body: { name: 'phone', uri: 'sip:a@example.com' },
    })
    expect(dialed.status).toBe(200)
    await world.clock.advance(10_000)
    world.calls.length = 0
    expect((await stop()).body.timeline).toMatchObject([
      { detail: '5 archives, broadcasts, scenes and dial-ins were stopped at once.' },
    ])
    expect((await world.platform.call('getComposer', { composerId: composer.id })).body.status).toBe('stopped')
    const connectionId = (await stateOf(world)).dialIns[0]?.connectionId
    expect(world.calls).toContain(`DELETE /session/${sessionId}/connection/${connectionId}`)
  })

  it('stops what carries the show’s tag although the state does not know of it', async () => {
    const { sessionId } = await bringLive(world)
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      recordings: state.recordings.map(({ archiveId: _, ...rest }) => rest),
      broadcasts: [],
    }))
    expect((await stop()).body.timeline).toMatchObject([{ detail: '3 archives and broadcasts were stopped at once.' }])
    expect(await runningArchives(sessionId)).toEqual([])
  })

  it('leaves alone what another show runs in the same session', async () => {
    const { sessionId } = await bringLive(world)
    await world.platform.call('startArchive', { sessionId, name: 'other/a/1', multiArchiveTag: 'other/a/1' })
    await stop()
    expect(await runningArchives(sessionId)).toHaveLength(1)
  })

  it('counts a resource that has ended already as stopped', async () => {
    const { archives } = await bringLive(world)
    await world.platform.call('stopArchive', { archiveId: archives.get('program') ?? '' })
    expect((await stop()).body.timeline).toMatchObject([{ detail: '2 archives and broadcasts were stopped at once.' }])
  })

  it.each([500, 429])('names what it could not reach (%i), and is asked for all the same', async (status) => {
    const { archives } = await bringLive(world)
    world.interceptors.platform = refusing(isCall('POST', new RegExp(`${archives.get('program')}/stop$`)), status)
    expect(await stop()).toMatchObject({
      status: 200,
      body: {
        timeline: [
          {
            detail:
              '2 archives and broadcasts were stopped at once. Not reached: archive a-show/program/1; the show’s machine continues to try.',
          },
        ],
      },
    })
    expect((await stateOf(world)).stopAskedAt).toBeDefined()
  })

  it('does not wait for a platform that hangs', async () => {
    await bringLive(world)
    world.interceptors.platform = () => new Promise(() => {})
    const answer = stop()
    await world.clock.advance(4_500)
    expect((await answer).body.timeline).toMatchObject([
      { detail: expect.stringMatching(/^0 .* Not reached: archive/) },
    ])
  })

  it('is carried out again after an interruption', async () => {
    const { sessionId } = await bringLive(world)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.aws = losingAnswers(isCall('PUT', /state\.json$/))
    await expect(stop('key')).resolves.toMatchObject({ status: 500 })
    expect((await stop('key')).status).toBe(200)
    expect(await runningArchives(sessionId)).toEqual([])
  })

  it('ends the waiting for an audience', async () => {
    await bringWaiting(world)
    expect((await stop()).status).toBe(200)
    expect((await stateOf(world)).stopAskedAt).toBe(world.now())
  })

  it('ends a show whose session is not open yet', async () => {
    await world.accept()
    expect((await stop()).body.timeline).toMatchObject([{ detail: 'Nothing was running yet.' }])
  })

  it.each(['succeeded', 'failed', 'stopped'] as const)('changes nothing in a show that has %s', async (status) => {
    await world.accept()
    await world.services.records.updateState('a-show', (state) => ({ ...state, status, endedAt: world.now() }))
    const before = await stateOf(world)
    expect(await stop()).toMatchObject({ status: 200, body: { showId: 'a-show', timeline: [] } })
    expect(await stateOf(world)).toEqual(before)
  })

  it('leaves a show that is ending to end as it would', async () => {
    await bringLive(world)
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      status: 'ending',
      endedAt: world.now(),
    }))
    expect((await stop()).status).toBe(200)
    expect(await stateOf(world)).not.toHaveProperty('stopAskedAt')
  })

  it('refuses one that is scheduled, and says what to do', async () => {
    const { body } = await call(world, 'POST /shows', { body: { ...webinar, start: { at: '2026-11-20T19:00' } } })
    expect(await call(world, `POST /shows/${body.showId}/stop`)).toMatchObject({
      status: 409,
      body: {
        detail: `The show ${body.showId} has not started (DELETE unschedules it). The request needs a show that is starting, waiting or live.`,
      },
    })
  })
})
