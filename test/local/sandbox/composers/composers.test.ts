import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import type { Publication } from '../../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { openSession } from '../open-session.ts'

const SECOND = 1_000
const MINUTE = 60_000

async function openComposer(args: Record<string, unknown> = {}) {
  const world = await openSession()
  const composer = await world.startComposer(args)
  const streams = async () => {
    const { status, body } = await world.call('listStreams', { sessionId: world.sessionId })
    return status === 404 ? [] : body.items
  }
  const stop = () => world.call('stopComposer', { composerId: composer.id })
  const ends = () => world.callbacksOf('composer', ['render'])
  return { ...world, ...composer, streams, stop, ends }
}

describe('createComposers', () => {
  it('publishes the page under its name once it is open', async () => {
    const { body, read, streams, clock, ends } = await openComposer({ properties: { name: 'Lower third' } })
    expect(await streams()).toEqual([])
    await clock.advance(3 * SECOND)
    const { streamId, ...started } = await read()
    expect(started).toEqual({ ...body, status: 'started', updatedAt: body.createdAt + 3 * SECOND })
    expect(await streams()).toEqual([{ id: streamId, videoType: 'custom', name: 'Lower third', layoutClassList: [] }])
    expect(await ends()).toEqual([])
  })

  it('draws a picture with the page’s URL', async () => {
    const published: Publication[] = []
    const { startComposer, clock } = await openSession({
      media: (clock) => ({ ...createMediaOff(clock), publish: (stream) => published.push(stream) }),
    })
    await startComposer({ url: 'https://scenes.example.com/', properties: { name: 'Lower third' } })
    await clock.advance(3 * SECOND)
    expect(published).toMatchObject([{ name: 'https://scenes.example.com/', hasAudio: true, hasVideo: true }])
  })

  it.each([
    [undefined, { width: 1280, height: 720 }],
    ['1920x1080', { width: 1920, height: 1080 }],
    ['480x640', { width: 480, height: 640 }],
  ])('draws a picture of the resolution %s', async (resolution, size) => {
    const published: Publication[] = []
    const { startComposer, clock } = await openSession({
      media: (clock) => ({ ...createMediaOff(clock), publish: (stream) => published.push(stream) }),
    })
    await startComposer({ ...(resolution && { resolution }) })
    await clock.advance(3 * SECOND)
    expect(published[0]?.source).toEqual({ type: 'pattern', size })
  })

  it('stops on request, which unpublishes its stream', async () => {
    const { id, read, stop, streams, clock, ends, sessionId, apiKey } = await openComposer()
    await clock.advance(10 * SECOND)
    expect(await stop()).toEqual({ status: 200, body: {} })
    const { streamId } = await read()
    expect(await read()).toMatchObject({ status: 'stopped', reason: 'Stop Requested', updatedAt: clock.now() })
    expect(await streams()).toEqual([])
    const ended = { id, event: 'render', sessionId, projectId: apiKey, streamId }
    expect(await ends()).toEqual([{ ...ended, status: 'stopped', reason: 'Stop Requested' }])
  })

  it('keeps its final status when it is stopped again', async () => {
    const { read, stop, clock, ends } = await openComposer({ maxDuration: 60 })
    await clock.advance(2 * MINUTE)
    const ended = await read()
    expect(await stop()).toMatchObject({ status: 200 })
    expect(await read()).toEqual(ended)
    expect(await ends()).toHaveLength(1)
  })

  it('stops as soon as it has started if requested before', async () => {
    const { read, stop, streams, clock } = await openComposer()
    expect(await stop()).toEqual({ status: 200, body: {} })
    expect(await read()).toMatchObject({ status: 'starting' })
    await clock.advance(3 * SECOND)
    expect(await read()).toMatchObject({ status: 'stopped', reason: 'Stop Requested', streamId: expect.any(String) })
    expect(await streams()).toEqual([])
  })

  it.each([
    [{}, 7_200],
    [{ maxDuration: 60 }, 60],
    [{ maxDuration: 36_000 }, 36_000],
  ])('stops at its maximum duration with %j', async (args, seconds) => {
    const { read, clock, ends } = await openComposer(args)
    await clock.advance(seconds * SECOND - 1)
    expect(await read()).toMatchObject({ status: 'started' })
    await clock.advance(1)
    expect(await read()).toMatchObject({ status: 'stopped', reason: 'Max Duration Exceeded' })
    expect(await ends()).toMatchObject([{ status: 'stopped', reason: 'Max Duration Exceeded' }])
  })

  it.each([
    ['http://fail.invalid/page', 3, 'The page cannot be reached: no host has this name.'],
    ['http://timeout.invalid', 30, 'The page did not load within 30 s.'],
    ['http://crash.invalid', 13, 'The page crashed.'],
  ])('fails with %s after %i s', async (url, seconds, reason) => {
    const { read, streams, clock, ends } = await openComposer({ url })
    await clock.advance(seconds * SECOND - 1)
    expect((await read()).status).not.toBe('failed')
    await clock.advance(1)
    expect(await read()).toMatchObject({ status: 'failed', reason })
    expect(await streams()).toEqual([])
    expect(await ends()).toMatchObject([{ status: 'failed', reason }])
    await clock.advance(3 * 3600 * SECOND)
    expect(await ends()).toHaveLength(1)
  })

  it('waits for a slow page', async () => {
    const { read, clock } = await openComposer({ url: 'http://slow.invalid' })
    await clock.advance(15 * SECOND - 1)
    expect(await read()).toMatchObject({ status: 'starting' })
    await clock.advance(1)
    expect(await read()).toMatchObject({ status: 'started' })
  })

  it('fails when it is disconnected by force', async () => {
    const { read, call, clock, callbacksOf, sessionId } = await openComposer()
    await clock.advance(3 * SECOND)
    const joined = await callbacksOf('connection', ['connectionCreated'])
    const [connectionId] = joined.map(({ connection }) => (connection as { id: string }).id)
    await call('forceDisconnect', { sessionId, connectionId })
    const reason = 'The composer was disconnected from its session.'
    expect(await read()).toMatchObject({ status: 'failed', reason })
  })

  it('fails when its project has been suspended before its page is open', async () => {
    const { id, ends, sandbox, send, sign, clock, apiKey } = await openComposer()
    const { accountKey, accountSecret } = sandbox.account
    const headers = { [AUTH_HEADER]: await sign({ iss: accountKey, ist: 'account' }, accountSecret) }
    const body = JSON.stringify({ status: 'SUSPENDED' })
    expect(await send('PUT', `/v2/project/${apiKey}`, { headers, body })).toMatchObject({ status: 200 })
    await clock.advance(3 * SECOND)
    expect(await ends()).toMatchObject([{ id, status: 'failed', reason: 'The project cannot be used any more.' }])
  })

  it('is a client with its token’s data and layout classes, and counts as an audience for archives', async () => {
    const { clientToken, startComposer, call, clock, sessionId, callbacksOf } = await openSession()
    const token = await clientToken({ connection_data: 'scene', initial_layout_class_list: 'focus' })
    await startComposer({ token, maxDuration: 600 })
    expect(await call('startArchive', { sessionId })).toMatchObject({ status: 404 })
    await clock.advance(3 * SECOND)
    const { status, body } = await call('startArchive', { sessionId })
    expect(status).toBe(200)
    expect((await call('listStreams', { sessionId })).body.items[0].layoutClassList).toEqual(['focus'])
    expect(await callbacksOf('connection', ['connectionCreated'])).toMatchObject([{ connection: { data: 'scene' } }])
    const read = async () => (await call('getArchive', { archiveId: body.id })).body.status
    await clock.advance(597 * SECOND - 1)
    expect(await read()).toBe('started')
    await clock.advance(1 + MINUTE)
    expect(await read()).toBe('available')
  })

  it('has failed when the platform starts again', async () => {
    const directory = await mkdtemp(joinPath(tmpdir(), 'sandbox-composers-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const before = await openSession({ directory })
    const { id: composerId } = await before.startComposer()
    await before.clock.advance(MINUTE)
    await before.sandbox.close()
    const after = await openSession({ directory, seed: 'another', start: before.clock.now() + MINUTE })
    onTestFinished(() => after.sandbox.close())
    expect((await after.call('getComposer', { composerId })).body).toMatchObject({
      status: 'failed',
      reason: 'The platform was restarted.',
    })
  })
})
