import { createHash } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { CallbackError, createCallbackVerifier } from '../../../../lib/platform/client/callbacks.ts'

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

  it.each<[string, () => Promise<string> | string | undefined, RegExp]>([
    ['no token', () => undefined, /no Authorization/],
    ['an empty token', () => 'Bearer ', /no Authorization/],
    ['no JWT', () => 'password', /not signed/],
    ['the signature of another secret', () => sign(claims, { key: 'another' }), /signature/],
    ['another algorithm', () => sign(claims, { alg: 'HS512' }), /alg/],
    [
      'no algorithm',
      () => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims)).replace(/=/g, '')}.`,
      /not signed/,
    ],
    ['a token that is over', () => sign({ ...claims, exp: now - 6 }), /exp/],
    ['a token from the future', () => sign({ ...claims, iat: now + 6 }), /future/],
    ['a token without end', () => sign({ iat: now, payload_hash }), /exp/],
    ['a token without beginning', () => sign({ exp: now + 300, payload_hash }), /iat/],
    ['a token for any body', () => sign({ iat: now, exp: now + 300 }), /payload_hash/],
    ['the hash of another body', () => sign({ ...claims, payload_hash: payload_hash.toUpperCase() }), /another body/],
  ])('rejects %s', async (_, authorization, reason) => {
    const rejected = expect(verify({ authorization: await authorization(), body })).rejects
    await rejected.toBeInstanceOf(CallbackError)
    await rejected.toThrow(reason)
  })

  it('rejects a body that was changed on its way', async () => {
    const authorization = await sign(claims)
    await expect(verify({ authorization, body: `${body} ` })).rejects.toThrow('another body')
  })

  it('refuses an empty secret', () => {
    expect(() => createCallbackVerifier({ secret: '' })).toThrow('secret')
  })
})
