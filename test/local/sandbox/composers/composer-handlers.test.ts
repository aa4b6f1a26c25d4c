import { describe, expect, it } from 'vitest'
import { composerCodes } from '../../../../lib/platform/contract/composers.ts'
import { limits } from '../../../../lib/platform/contract/limits.ts'
import { openSession } from '../open-session.ts'

const urlOf = (length: number) => 'https://a.example/'.padEnd(length, 'x').slice(0, length)

describe('composerHandlers', () => {
  it('answers 202 with the composer as requested, with defaults', async () => {
    const { startComposer, sessionId, apiKey, clock } = await openSession()
    const { status, body } = await startComposer()
    expect(status).toBe(202)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sessionId,
      projectId: apiKey,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      url: 'https://scenes.example.com/lower-third',
      resolution: '1280x720',
      status: 'starting',
    })
  })

  it.each([
    [{ sessionId: 'none' }, 'sessionId'],
    [{ sessionId: undefined }, 'sessionId'],
    [{ token: 'nonsense' }, 'token'],
    [{ token: '' }, 'token'],
    [{ url: undefined }, 'url'],
    [{ url: 'ftp://files.example.com' }, 'url'],
    [{ url: urlOf(limits.composerUrlMax.value + 1) }, 'url'],
    [{ url: 'http://ab.exa' }, 'url'],
    [{ resolution: '10x10' }, 'resolution'],
    [{ maxDuration: 59 }, 'maxDuration'],
    [{ maxDuration: 36_001 }, 'maxDuration'],
    [{ maxDuration: 60.5 }, 'maxDuration'],
    [{ properties: 'Lower third' }, 'properties'],
    [{ properties: { name: '' } }, 'properties.name'],
    [{ properties: { name: 'n'.repeat(201) } }, 'properties.name'],
  ] as const)('refuses %j with its own code', async (args, field) => {
    const { startComposer } = await openSession()
    const { status, body } = await startComposer(args)
    expect({ status, body }).toEqual({ status: 400, body: composerCodes[field] })
  })

  it.each([
    { url: urlOf(limits.composerUrlMax.value) },
    { url: 'http://abc.exam' },
    { maxDuration: 60 },
    { maxDuration: 36_000 },
    { resolution: '1080x1920' },
    { properties: {} },
    { properties: { name: 'n' } },
    { properties: { name: 'n'.repeat(200) } },
  ])('accepts %j', async (args) => {
    const { startComposer } = await openSession()
    expect(await startComposer(args)).toMatchObject({ status: 202 })
  })

  it('answers 50005 with the documented message', async () => {
    const { startComposer } = await openSession()
    expect((await startComposer({ maxDuration: 1 })).body).toEqual({
      code: 50005,
      message: 'Invalid maxDuration provided.',
    })
  })

  it('answers 403 to a client token that may not publish', async () => {
    const { startComposer, clientToken } = await openSession()
    const { status, body } = await startComposer({ token: await clientToken({ role: 'subscriber' }) })
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 403 } })
  })

  it('composes in relayed sessions too', async () => {
    const { createSession, startComposer, clientToken } = await openSession()
    const sessionId = await createSession({ 'p2p.preference': 'enabled' })
    const token = await clientToken({ session_id: sessionId })
    expect(await startComposer({ sessionId, token })).toMatchObject({ status: 202 })
  })

  it('keeps no client token', async () => {
    const { startComposer, clientToken, call, log } = await openSession()
    const token = await clientToken()
    const { id } = await startComposer({ token })
    const shown = [await call('getComposer', { composerId: id }), await call('listComposers'), log]
    expect(JSON.stringify(shown)).not.toContain(token)
  })

  it('lists newest first, by page, in every status', async () => {
    const { startComposer, call, clock } = await openSession()
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift((await startComposer()).id)
    await clock.advance(5_000)
    await call('stopComposer', { composerId: ids[1] })
    const list = async (args = {}) => {
      const { count, items } = (await call('listComposers', args)).body
      return { count, ids: items.map((item: { id: string }) => item.id) }
    }
    expect(await list()).toEqual({ count: 3, ids })
    expect(await list({ offset: 1, count: 1 })).toEqual({ count: 3, ids: [ids[1]] })
  })

  it('stops by the path with a trailing slash', async () => {
    const { startComposer, send, apiKey } = await openSession()
    const { id } = await startComposer()
    expect(await send('DELETE', `/v2/project/${apiKey}/render/${id}/`)).toEqual({ status: 200, body: {} })
  })
})
