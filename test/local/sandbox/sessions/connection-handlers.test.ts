import { describe, expect, it } from 'vitest'
import { openSandbox } from '../open-sandbox.ts'

describe('connectionHandlers', () => {
  it('disconnects a client with its stream and everything that depends on it', async () => {
    const { call, clock, join, createSession } = openSandbox()
    const sessionId = await createSession()
    const { connectionId } = await join(sessionId, { name: 'Ada' })
    const { body: archive } = await call('startArchive', { sessionId })
    const { body: broadcast } = await call('startBroadcast', { sessionId, outputs: { hls: {} } })
    const read = async () => (await call('getArchive', { archiveId: archive.id })).body

    expect(await call('forceDisconnect', { sessionId, connectionId })).toEqual({ status: 204, body: '' })
    expect(await call('listStreams', { sessionId })).toMatchObject({ status: 404 })
    expect(await read()).toMatchObject({ status: 'paused' })
    expect(await call('startArchive', { sessionId, multiArchiveTag: 'late' })).toMatchObject({ status: 404 })

    await clock.advance(60_000)
    expect(await read()).toMatchObject({ reason: 'session ended' })
    expect((await call('getBroadcast', { broadcastId: broadcast.id })).body).toMatchObject({ status: 'stopped' })
  })

  it('finds a client only in its own session, and only while it is connected', async () => {
    const { call, join, createSession } = openSandbox()
    const sessionId = await createSession()
    const { connectionId } = await join(sessionId)
    const notFound = { status: 404, body: { code: 404, message: 'Connection not found' } }
    expect(await call('forceDisconnect', { sessionId: await createSession(), connectionId })).toEqual(notFound)
    expect(await call('forceDisconnect', { sessionId, connectionId })).toMatchObject({ status: 204 })
    expect(await call('forceDisconnect', { sessionId, connectionId })).toEqual(notFound)
  })
})
