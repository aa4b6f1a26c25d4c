import { jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { clientClaims } from '../../../../lib/platform/contract/tokens.ts'
import { openSandbox } from '../open-sandbox.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

async function openSession() {
  const world = openSandbox()
  const sessionId = await world.createSession()
  const path = `/sandbox/sessions/${sessionId}/participants`
  const join = (participant: unknown, headers = {}) =>
    world.send('POST', path, { headers, body: JSON.stringify(participant) })
  return { ...world, sessionId, path, join }
}

describe('createControlRoutes', () => {
  it('connects a client with a real token', async () => {
    const { join, sessionId, apiKey, apiSecret, clock } = await openSession()
    const { status, body } = await join({ name: 'Ada' })
    expect(status).toBe(201)
    const options = { currentDate: new Date(clock.now()), algorithms: ['HS256'] }
    const { payload } = await jwtVerify(body.token, new TextEncoder().encode(apiSecret), options)
    expect(clientClaims.parse(payload)).toMatchObject({ iss: apiKey, session_id: sessionId, role: 'publisher' })
  })

  it('connects a client that only watches', async () => {
    const { join, call, sessionId } = await openSession()
    const { body } = await join({ publish: false, audio: false, video: false })
    expect(body).toEqual({ connectionId: expect.any(String), token: expect.any(String) })
    expect(await call('listStreams', { sessionId })).toMatchObject({ status: 404 })
  })

  it('disconnects a client once', async () => {
    const { join, send, path, createSession } = await openSession()
    const { connectionId } = (await join({})).body
    const elsewhere = `/sandbox/sessions/${await createSession()}/participants/${connectionId}`
    expect(await send('DELETE', elsewhere)).toMatchObject({ status: 404 })
    expect(await send('DELETE', `${path}/${connectionId}`)).toEqual({ status: 204, body: '' })
    expect(await send('DELETE', `${path}/${connectionId}`)).toMatchObject({ status: 404 })
    expect(await send('DELETE', `${path}/${NOBODY}`)).toMatchObject({ status: 404 })
  })

  it.each([
    [{ audio: false, video: false }, 'audio and video must not both be false: there is nothing to publish.'],
    [{ source: { type: 'file', path: '/etc/passwd' } }, expect.stringContaining('--media-root')],
    [{ publish: 'yes' }, 'publish: expected boolean, received string.'],
    [{ videoType: 'film' }, expect.stringMatching(/^videoType: /)],
  ])('refuses the participant %j', async (participant, message) => {
    const { join } = await openSession()
    expect(await join(participant)).toEqual({ status: 400, body: { code: 400, message } })
  })

  it('answers 404 for an unknown session', async () => {
    const { send } = await openSession()
    expect(await send('POST', '/sandbox/sessions/none/participants')).toMatchObject({ status: 404 })
  })

  it.each([
    [{ host: 'example.com' }, 403],
    [{ host: 'localhost.example.com:4000' }, 403],
    [{ origin: 'https://example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost.example.com' }, 403],
    [{ host: '127.0.0.1:4000', origin: 'http://localhost:3000' }, 403],
    [{ host: 'localhost:4000', 'sec-fetch-site': 'same-site' }, 403],
    [{ host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4000', 'sec-fetch-site': 'same-origin' }, 201],
    [{ host: '[::1]:4000' }, 201],
  ])('answers a request with %j by %i', async (headers, status) => {
    const { join } = await openSession()
    expect((await join({}, headers)).status).toBe(status)
  })
})
