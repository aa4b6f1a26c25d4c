import { createHash } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createCallbackVerifier } from '../../../../lib/platform/client/callbacks.ts'
import { CallbackError, type CallbackProblem } from '../../../../lib/platform/client/signed-bodies.ts'

const clock = createSteppedClock(1795166400000)
const now = clock.now() / 1000
const secret = 'the-secret-of-this-callback'
const body = '{"event":"archive","status":"uploaded"}'
const payload_hash = createHash('sha256').update(body).digest('hex')
const claims: JWTPayload = { iat: now, exp: now + 300, payload_hash }
const verify = createCallbackVerifier({ secret, clock })

const sign = (payload: JWTPayload, { alg = 'HS256', key = secret } = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key))

describe('createCallbackVerifier', () => {
  it('accepts what is signed for exactly this body, with and without Bearer', async () => {
    const token = await sign(claims)
    await verify({ authorization: token, body })
    await verify({ authorization: `Bearer ${token}`, body: Buffer.from(body) })
  })

  it('tolerates clocks that differ by a few seconds', async () => {
    await verify({ authorization: await sign({ ...claims, iat: now + 4 }), body })
    await verify({ authorization: await sign({ ...claims, exp: now - 4 }), body })
  })

  it.each<[string, () => Promise<string> | string | undefined, CallbackProblem, RegExp]>([
    ['no token', () => undefined, 'no-token', /no Authorization/],
    ['an empty token', () => 'Bearer ', 'no-token', /no Authorization/],
    ['no JWT', () => 'password', 'invalid-token', /not signed/],
    ['the signature of another secret', () => sign(claims, { key: 'another' }), 'wrong-signature', /signature/],
    ['another algorithm', () => sign(claims, { alg: 'HS512' }), 'invalid-token', /alg/],
    [
      'no algorithm',
      () => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims)).replace(/=/g, '')}.`,
      'invalid-token',
      /not signed/,
    ],
    ['a token that is over', () => sign({ ...claims, exp: now - 6 }), 'expired', /exp/],
    ['a token from the future', () => sign({ ...claims, iat: now + 6 }), 'not-yet-valid', /future/],
    ['a token without end', () => sign({ iat: now, payload_hash }), 'invalid-token', /exp/],
    ['a token without beginning', () => sign({ exp: now + 300, payload_hash }), 'invalid-token', /iat/],
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

  it('rejects a body that was changed on its way', async () => {
    const authorization = await sign(claims)
    await expect(verify({ authorization, body: `${body} ` })).rejects.toThrow('another body')
  })

  it('refuses an empty secret', () => {
    expect(() => createCallbackVerifier({ secret: '' })).toThrow('secret')
  })
})
