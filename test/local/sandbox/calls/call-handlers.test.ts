import { describe, expect, it } from 'vitest'
import { openSession } from '../open-session.ts'

describe('callHandlers', () => {
  it('answers a dial with the ids of call, connection and stream, and nothing else', async () => {
    const { dial } = await openSession()
    const { status, body } = await dial('stage')
    expect(status).toBe(200)
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(body).toEqual({ id, connectionId: id, streamId: id })
    expect(new Set(Object.values(body)).size).toBe(3)
  })

  it('is reached by its deprecated path', async () => {
    const { send, sessionId, clientToken, apiKey } = await openSession()
    const body = JSON.stringify({ sessionId, token: await clientToken(), sip: { uri: 'sip:stage@example.com' } })
    expect(await send('POST', `/v2/partner/${apiKey}/call/`, { body })).toMatchObject({ status: 200 })
  })

  it.each([
    [{ from: 'nobody' }, 'sip.from'],
    [{ headers: { Subject: 'x' } }, 'sip.headers must have names that begin with X-.'],
    [{ headers: { 'X-Show': 'a\r\nVia: b' } }, 'sip.headers.X-Show'],
    [{ uri: 'tel:15551234567' }, 'sip.uri'],
    [{ uri: 'sip:stage@example.com;transport=sctp' }, 'sip.uri must have the transport udp, tcp or tls'],
    [{ auth: { username: 'stage' } }, 'sip.auth.password is required.'],
    [{ secure: 'very' }, 'sip.secure'],
  ])('refuses the sip part %j', async (sip, message) => {
    const { dial } = await openSession()
    const { status, body } = await dial('stage', sip)
    expect({ status, body }).toEqual({ status: 400, body: { code: 400, message: expect.stringContaining(message) } })
  })

  it.each(['', 'transport=udp', 'transport=tcp', 'transport=tls'])('dials with %s', async (transport) => {
    const { dial } = await openSession()
    expect(await dial('stage', { uri: `sip:stage@example.com;${transport}` })).toMatchObject({ status: 200 })
  })

  it.each(['127.0.0.1', 'localhost:5070', '[::1]', 'pbx.local'])(
    'refuses a phone of %s under a stepped clock',
    async (host) => {
      const { dial } = await openSession({ sip: { allow: ['PBX.local'] } })
      expect(await dial('stage', { uri: `sip:stage@${host}` })).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('without --clock stepped') },
      })
    },
  )

  it('refuses an invalid client token without quoting it', async () => {
    const { dial, clientToken, createSession } = await openSession()
    const tokens = [
      'nonsense',
      await clientToken({ session_id: await createSession() }),
      await clientToken({ role: 'subscriber' }),
      await clientToken({}, 'of another signer'),
    ]
    for (const token of tokens) {
      const { status, body } = await dial('stage', {}, token)
      expect({ status, body }).toMatchObject({ status: 400, body: { code: 400 } })
      expect(JSON.stringify(body)).toContain('client token')
      expect(JSON.stringify(body)).not.toContain(token)
    }
  })

  it('adds no client to the session when it refuses', async () => {
    const { dial, call, sessionId } = await openSession()
    await dial('stage', {}, 'nonsense')
    expect(await call('startArchive', { sessionId })).toMatchObject({
      status: 404,
      body: { message: 'No clients connected' },
    })
  })

  it.each(['', '12a', '1 2', '１', 'w'])('refuses the digits "%s"', async (digits) => {
    const { call, dial, sessionId } = await openSession()
    const { connectionId } = await dial('stage')
    expect(await call('playDtmfToSession', { sessionId, digits })).toMatchObject({ status: 400 })
    expect(await call('playDtmfToConnection', { sessionId, connectionId, digits })).toMatchObject({ status: 400 })
  })

  it('plays nothing to a client of another session', async () => {
    const { call, dial, createSession } = await openSession()
    const { connectionId } = await dial('stage')
    const sessionId = await createSession()
    expect(await call('playDtmfToConnection', { sessionId, connectionId, digits: '1' })).toMatchObject({ status: 404 })
  })
})
