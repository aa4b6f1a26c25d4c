import { createHash } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { type CallbackEvent, createCallbackVerifier } from '../../../../../lib/platform/client/callbacks/callbacks.ts'
import { CallbackError, type CallbackProblem } from '../../../../../lib/platform/client/callbacks/signed-bodies.ts'
import { callbacks } from '../../../../../lib/platform/contract/callbacks.ts'

const clock = createSteppedClock(1795166400000)
const now = clock.now() / 1000
const secret = 'the-secret-of-this-callback'
const body = JSON.stringify(callbacks.archive.example)
const payload_hash = createHash('sha256').update(body).digest('hex')
const claims: JWTPayload = { iat: now, exp: now + 300, payload_hash }
const verify = createCallbackVerifier({ secret, clock })

const sign = (payload: JWTPayload, { alg = 'HS256', key = secret } = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key))

describe('createCallbackVerifier', () => {
  it('accepts a token for this exact body, with and without Bearer', async () => {
    const token = await sign(claims)
    await verify({ authorization: token, body })
    await verify({ authorization: `Bearer ${token}`, body: Buffer.from(body) })
  })

  it('tolerates clocks that differ by a few seconds', async () => {
    await verify({ authorization: await sign({ ...claims, iat: now + 4 }), body })
    await verify({ authorization: await sign({ ...claims, exp: now - 4 }), body })
  })

  it.each<[string, () => Promise<string> | string | undefined, CallbackProblem, RegExp]>([
    ['no token', () => undefined, 'no-token', /lacks the header/],
    ['an empty token', () => 'Bearer ', 'no-token', /lacks the header/],
    ['text that is not a JWT', () => 'password', 'invalid-token', /not valid/],
    ['the signature of another secret', () => sign(claims, { key: 'another' }), 'wrong-signature', /signature/],
    ['another algorithm', () => sign(claims, { alg: 'HS512' }), 'invalid-token', /alg/],
    [
      'no algorithm',
      () => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims)).replace(/=/g, '')}.`,
      'invalid-token',
      /signature.*not valid/,
    ],
    ['an expired token', () => sign({ ...claims, exp: now - 6 }), 'expired', /exp/],
    ['a token from the future', () => sign({ ...claims, iat: now + 6 }), 'not-yet-valid', /future/],
    ['a token without exp', () => sign({ iat: now, payload_hash }), 'invalid-token', /exp/],
    ['a token without iat', () => sign({ exp: now + 300, payload_hash }), 'invalid-token', /iat/],
    ['a token for any body', () => sign({ iat: now, exp: now + 300 }), 'invalid-token', /payload_hash/],
    [
      'the hash of another body',
      () => sign({ ...claims, payload_hash: payload_hash.toUpperCase() }),
      'wrong-body',
      /another body/,
    ],
  ])('rejects %s', async (_, authorization, code, reason) => {
    const refusal = await verify({ authorization: await authorization(), body }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(CallbackError)
    expect(refusal).toMatchObject({ name: 'CallbackError', code, message: expect.stringMatching(reason) })
  })

  it('rejects a body that was changed in transit', async () => {
    const authorization = await sign(claims)
    await expect(verify({ authorization, body: `${body} ` })).rejects.toThrow('another body')
  })

  it('refuses an empty secret', () => {
    expect(() => createCallbackVerifier({ secret: '' })).toThrow('secret')
  })

  const read = async (posted: unknown) => {
    const text = typeof posted === 'string' ? posted : JSON.stringify(posted)
    const hash = createHash('sha256').update(text).digest('hex')
    return verify({ authorization: await sign({ ...claims, payload_hash: hash }), body: text })
  }
  const { archive, broadcast, composer, connection, call, stream } = callbacks

  it.each([archive, broadcast, composer, connection, call, stream])(
    'returns the event that is sent on $on',
    async ({ example }) => {
      const keys = Object.entries(example).filter(([name]) => name === 'projectId' || name === 'partnerId')
      const asStrings = Object.fromEntries(keys.map(([name, key]) => [name, String(key)]))
      expect(await read(example)).toEqual({ ...example, ...asStrings })
    },
  )

  it('types each event by its name', async () => {
    const event = await read(archive.example)
    if (event.event !== 'archive') throw new Error('It is the callback of an archive.')
    expectTypeOf(event.size).toEqualTypeOf<number>()
    const describeEvent = (one: CallbackEvent): string => {
      if (one.event === 'callDestroyed') return one.reason_message
      if (one.event === 'streamCreated') return one.stream.id
      return one.event === 'unknown' ? String(one.body.event) : one.event
    }
    expect(describeEvent(await read(call.example))).toBe('Normal Clearing')
    expect(describeEvent(await read({ event: 'captionsCreated', id: 7 }))).toBe('captionsCreated')
  })

  it('parses an event as leniently as answers', async () => {
    const rtmp = { one: { status: 'rerouting', serverUrl: 'rtmp://live.example.com/app', streamName: null } }
    const sent = { ...broadcast.example, projectId: 100001, updatedAt: null, broadcastUrls: { hls: null, rtmp } }
    expect(await read(sent)).toMatchObject({
      ...{ projectId: '100001', updatedAt: broadcast.example.createdAt },
      broadcastUrls: { rtmp: [{ id: 'one', status: 'rerouting', streamName: '' }] },
    })
  })

  it('returns an unknown event unchanged', async () => {
    const body = { event: 'captionsCreated', id: 7, nested: { is: null } }
    expect(await read(body)).toEqual({ event: 'unknown', body })
  })

  it.each([
    ['text that is not JSON', 'archive', /event: is required/],
    ['no event', {}, /event: is required/],
    ['an event without its id', { ...archive.example, id: null }, /archive cannot be parsed \(id: /],
    ['a call without its connection', { ...call.example, call: { id: 'a', createdAt: 1 } }, /\(call.connectionId: /],
  ])('rejects %s', async (_, posted, message) => {
    const refusal = await read(posted).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'unknown-event', message: expect.stringMatching(message) })
  })
})
