import { SignJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { loadWerift } from '../../../../local/sandbox/webrtc/load-werift.ts'
import { BASE, openSandbox, type WorldOptions } from '../open-sandbox.ts'
import { offerOf } from './offers.ts'

async function openDoor(options: WorldOptions = { clock: realClock }) {
  const world = openSandbox({ controlToken: 'control', ...options })
  onTestFinished(() => world.sandbox.close())
  const sessionId = await world.createSession()
  const path = `/sandbox/sessions/${sessionId}/whip`
  const token = (claims: Record<string, unknown> = {}, secret = world.apiSecret) =>
    new SignJWT({
      iss: world.apiKey,
      session_id: sessionId,
      scope: 'session.connect',
      nonce: 'n',
      iat: now(),
      ...claims,
    })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))
  const now = () => Math.floor((options.clock ?? world.clock).now() / 1000)
  const request = async (method: string, headers: Record<string, string>, { body = offerOf(), at = path } = {}) => {
    const hasBody = method === 'POST' || method === 'PATCH'
    const answer = await world.sandbox.fetch(new Request(BASE + at, { method, headers, body: hasBody ? body : null }))
    const text = await answer.text()
    const isProblem = answer.headers.get('content-type') === 'application/problem+json'
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      detail: isProblem ? JSON.parse(text).detail : undefined,
    }
  }
  const publish = async (headers: Record<string, string> = {}, options = {}) => {
    const own = { authorization: `Bearer ${await token()}`, 'content-type': 'application/sdp' }
    return request('POST', { ...own, ...headers }, options)
  }
  return { ...world, sessionId, path, token, request, publish }
}

describe('POST …/whip', () => {
  it('answers an offer with the address of the publisher, which its token can delete', async () => {
    const { publish, request, token, call, sessionId } = await openDoor()
    const own = { authorization: `bearer ${await token({ nonce: '1' })}` }
    const { status, headers, text } = await publish(own)
    expect(status).toBe(201)
    expect(headers.get('content-type')).toBe('application/sdp')
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text))
    expect(headers.get('etag')).toMatch(/^".+"$/)
    const location = headers.get('location') ?? ''
    expect(location).toMatch(`${BASE}/sandbox/sessions/${sessionId}/whip/`)
    expect(text.match(/^m=.*/gm)).toEqual(['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'm=video 9 UDP/TLS/RTP/SAVPF 106'])
    expect(text.match(/^a=candidate:.*/gm)?.every((line) => / 127\.0\.0\.1 \d+ typ host/.test(line))).toBe(true)
    expect((await call('listStreams', { sessionId })).status).toBe(404) // it is published once it is connected

    const at = location.slice(BASE.length)
    const other = { authorization: `Bearer ${await token({ nonce: '2' })}` }
    expect((await request('DELETE', {}, { at })).status).toBe(401)
    expect((await request('DELETE', other, { at })).status).toBe(404)
    expect((await request('DELETE', own, { at })).status).toBe(200)
    expect((await request('DELETE', own, { at })).status).toBe(404)
  })

  it('refuses the control token and tokens that do not belong to the session', async () => {
    const { publish, request, token } = await openDoor()
    const missing = await request('POST', { 'content-type': 'application/sdp' })
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    for (const bad of ['control', await token({}, 'another'), await token({ session_id: 'another' })])
      expect((await publish({ authorization: `Bearer ${bad}` })).status).toBe(401)
  })

  it.each([
    ['an unknown session', 404, {}, { at: '/sandbox/sessions/none/whip' }, 'Session not found'],
    ['another media type', 415, { 'content-type': 'application/json' }, {}, 'application/sdp'],
    ['a client that wants JSON', 406, { accept: 'application/json' }, {}, 'application/sdp'],
    ['an offer without a usable codec', 422, {}, { body: offerOf((line) => line.replace('opus', 'g722')) }, 'Opus'],
    ['an offer that cannot be parsed', 400, {}, { body: 'hello' }, 'SDP'],
    ['a page of another machine', 403, { origin: 'https://example.com' }, {}, 'this machine'],
    ['a name of another host', 403, { host: 'example.com' }, {}, 'loopback'],
  ])('refuses %s', async (_, status, headers, options, message) => {
    const { publish } = await openDoor()
    expect(await publish(headers as Record<string, string>, options)).toMatchObject({
      status,
      detail: expect.stringContaining(message),
    })
  })

  it('refuses a role that may not publish, a videoType that does not exist and a suspended project', async () => {
    const { publish, path, token, call, apiKey } = await openDoor()
    const subscriber = await publish({ authorization: `Bearer ${await token({ role: 'subscriber' })}` })
    expect(subscriber).toMatchObject({ status: 403, detail: 'The role subscriber may not publish.' })
    expect((await publish({}, { at: `${path}?videoType=film` })).status).toBe(400)
    await call('setProjectStatus', { apiKey, status: 'SUSPENDED' })
    expect((await publish()).status).toBe(403)
  })

  it('refuses a stepped clock', async () => {
    const { publish } = await openDoor({})
    expect(await publish()).toMatchObject({ status: 409, detail: expect.stringContaining('real time') })
  })

  it('refuses other methods, and answers the preflight request of a page of this machine', async () => {
    const { request, path } = await openDoor()
    expect(await request('PATCH', {}, { at: `${path}/1` })).toMatchObject({ status: 405 })
    const get = await request('GET', {})
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    const preflight = await request('OPTIONS', { origin: 'http://localhost:8080' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:8080')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  })
})

describe('POST …/whep', () => {
  it('refuses a role that may not subscribe, and a request without a stream of the session', async () => {
    const { publish, path, token } = await openDoor()
    const at = path.replace('/whip', '/whep')
    const body = offerOf((line) => line.replace('sendonly', 'recvonly'))
    const publisher = { authorization: `Bearer ${await token({ role: 'publisheronly' })}` }
    expect((await publish(publisher, { at, body })).detail).toBe('The role publisheronly may not subscribe.')
    for (const query of ['', '?stream=a&output=b'])
      expect((await publish({}, { at: at + query, body })).detail).toContain('Give one of stream and output')
    for (const query of ['stream', 'output'])
      expect((await publish({}, { at: `${at}?${query}=none`, body })).status).toBe(404)
  })

  it('refuses streams and outputs that nothing encodes', async () => {
    const { publish, path, send, call, sessionId } = await openDoor()
    const { body } = await send('POST', `/sandbox/sessions/${sessionId}/participants`, {
      headers: { authorization: 'Bearer control' },
      body: '{}',
    })
    const at = `${path.replace('/whip', '/whep')}?stream=${body.streamId}`
    expect(await publish({}, { at })).toMatchObject({ status: 501, detail: expect.stringContaining('media is off') })
    const outputs = { composed: 501, individual: 409 }
    for (const [outputMode, status] of Object.entries(outputs)) {
      const { id } = (await call('startArchive', { sessionId, outputMode, multiArchiveTag: outputMode })).body
      expect((await publish({}, { at: `${path.replace('/whip', '/whep')}?output=${id}` })).status).toBe(status)
      await call('stopArchive', { archiveId: id })
      expect((await publish({}, { at: `${path.replace('/whip', '/whep')}?output=${id}` })).status).toBe(404)
    }
  })
})

describe('loadWerift', () => {
  it('names the Node that is needed on an older one', async () => {
    await expect(loadWerift('20.19.0')).rejects.toMatchObject({
      status: 501,
      message: expect.stringContaining('Node 22'),
    })
  })
})
