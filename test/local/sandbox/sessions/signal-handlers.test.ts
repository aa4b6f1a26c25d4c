import { describe, expect, it } from 'vitest'
import { openSandbox } from '../open-sandbox.ts'

async function openSession() {
  const world = openSandbox()
  const sessionId = await world.createSession()
  const ada = await world.join(sessionId, { name: 'Ada' })
  const bob = await world.join(sessionId, { publish: false })
  const inbox = (connectionId: string, session = sessionId) =>
    world.send('GET', `/sandbox/sessions/${session}/participants/${connectionId}/signals`)
  return { ...world, sessionId, ada, bob, inbox }
}

describe('signalHandlers', () => {
  it('delivers a signal to every connected client, without a sender', async () => {
    const { call, clock, join, sessionId, ada, bob, inbox } = await openSession()
    expect(await call('signalSession', { sessionId, type: 'chat', data: 'hello' })).toEqual({ status: 204, body: '' })
    const late = await join(sessionId)
    const signal = { type: 'chat', data: 'hello', from: '', receivedAt: clock.now() }
    for (const { connectionId } of [ada, bob])
      expect((await inbox(connectionId)).body).toEqual({ count: 1, items: [signal] })
    expect((await inbox(late.connectionId)).body).toEqual({ count: 0, items: [] })
  })

  it('delivers a signal to one client, in the order of sending', async () => {
    const { call, sessionId, ada, bob, inbox } = await openSession()
    const { connectionId } = ada
    await call('signalConnection', { sessionId, connectionId, data: '' })
    await call('signalConnection', { sessionId, connectionId, type: 'chat', data: '{"a":1}' })
    const { items } = (await inbox(connectionId)).body
    expect(items).toMatchObject([{ data: '' }, { type: 'chat', data: '{"a":1}' }])
    expect(items[0]).not.toHaveProperty('type')
    expect((await inbox(bob.connectionId)).body.count).toBe(0)
  })

  it('reaches no client of another session', async () => {
    const { call, createSession, join, ada, inbox } = await openSession()
    const other = await createSession()
    await join(other)
    await call('signalSession', { sessionId: other, data: 'hello' })
    expect((await inbox(ada.connectionId)).body.count).toBe(0)
    const { connectionId } = ada
    expect(await call('signalConnection', { sessionId: other, connectionId, data: 'hello' })).toMatchObject({
      status: 404,
      body: { message: 'Connection not found' },
    })
  })

  it('accepts a signal to a session without clients', async () => {
    const { call, createSession } = await openSession()
    expect(await call('signalSession', { sessionId: await createSession(), data: 'hello' })).toMatchObject({
      status: 204,
    })
  })

  it.each([
    [{ type: 't'.repeat(128), data: 'd'.repeat(8_192) }, 204],
    [{ type: 't'.repeat(129), data: '' }, 413],
    [{ data: 'd'.repeat(8_193) }, 413],
    [{ type: 'é'.repeat(65), data: '' }, 413],
    [{ data: 'é'.repeat(4_096) }, 204],
    [{ data: { text: 'hello' } }, 400],
    [{ type: 7, data: '' }, 400],
  ])('counts bytes: %j is answered %i', async (signal, status) => {
    const { call, sessionId } = await openSession()
    const answer = await call('signalSession', { sessionId, ...signal })
    expect(answer.status).toBe(status)
    if (status !== 204) expect(answer.body).toEqual({ code: status, message: expect.any(String) })
  })

  it('removes the signals of a client with the client', async () => {
    const { call, sessionId, ada, inbox } = await openSession()
    await call('signalSession', { sessionId, data: 'hello' })
    await ada.leave()
    expect(await inbox(ada.connectionId)).toMatchObject({ status: 404 })
  })
})
