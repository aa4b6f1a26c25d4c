import { createHash } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../lib/clock.ts'
import { CallbackError, type CallbackProblem } from '../../../lib/platform/client/signed-bodies.ts'
import { type ShowrunnerCallbackOptions, verifyShowrunnerCallback } from '../../../lib/services/callback-verifier.ts'

const clock = createSteppedClock(1795166400000)
const now = clock.now() / 1000
const secret = 'the-secret-of-the-deployment'
const url = 'https://app.example.com/hook'
const event = { id: 'a-show/show.ended///', event: 'show.ended', at: '2026-11-20T09:00:00.000Z', showId: 'a-show' }
const body = JSON.stringify({ ...event, addedLater: true })

const claimsFor = (text: string): JWTPayload => ({
  iss: 'showrunner',
  aud: url,
  iat: now,
  exp: now + 300,
  jti: event.id,
  payload_hash: createHash('sha256').update(text).digest('hex'),
})
const sign = (payload: JWTPayload, key = secret) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key))

/** Verifies a body under a token for it, both changed as told. */
async function verify(
  changes: {
    claims?: Readonly<Record<string, unknown>>
    key?: string
    signed?: string
    received?: string | Uint8Array
  } = {},
  options: Partial<ShowrunnerCallbackOptions> = {},
) {
  const { claims = {}, key, signed = body, received = signed } = changes
  const authorization = `Bearer ${await sign({ ...claimsFor(signed), ...claims } as JWTPayload, key)}`
  return verifyShowrunnerCallback({ authorization, body: received }, { secret, clock, ...options })
}

describe('verifyShowrunnerCallback', () => {
  it('returns the event, without what a later version may add', async () => {
    expect(await verify()).toEqual(event)
    expect(await verify({ received: Buffer.from(body) })).toEqual(event)
  })

  it('holds a callback to the URL that it was meant for, whose query does not count', async () => {
    expect(await verify({}, { url: `${url}?key=a` })).toEqual(event)
    await expect(verify({}, { url: 'https://other.example.com/hook' })).rejects.toMatchObject({
      code: 'wrong-audience',
    })
  })

  it('tolerates clocks that differ by a few seconds, or by as much as it is told', async () => {
    await verify({ claims: { iat: now + 4 } })
    await verify({ claims: { iat: now - 304, exp: now - 4 } })
    await verify({ claims: { iat: now + 40 } }, { tolerance: 60 })
  })

  it.each<[string, Parameters<typeof verify>[0], CallbackProblem]>([
    ['was signed with another secret', { key: 'another' }, 'wrong-signature'],
    ['comes from somebody else', { claims: { iss: 'the-platform' } }, 'wrong-issuer'],
    ['does not say from whom it comes', { claims: { iss: undefined } }, 'invalid-token'],
    ['is over', { claims: { exp: now - 6 } }, 'expired'],
    ['is older than five minutes, however long it claims to last', { claims: { iat: now - 306 } }, 'expired'],
    ['is from the future', { claims: { iat: now + 6 } }, 'not-yet-valid'],
    ['has another body', { received: `${body} ` }, 'wrong-body'],
    ['holds no JSON', { signed: 'ended' }, 'unknown-event'],
    ['holds no event', { signed: '{"id":"a"}' }, 'unknown-event'],
    ['holds an event of a later version', { signed: body.replace('"show.ended"', '"show.praised"') }, 'unknown-event'],
  ])('refuses what %s', async (_, changes, code) => {
    const refusal = await verify(changes).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(CallbackError)
    expect(refusal).toMatchObject({ name: 'CallbackError', code })
  })

  it('refuses what is not signed', async () => {
    await expect(verifyShowrunnerCallback({ authorization: undefined, body }, { secret, clock })).rejects.toMatchObject(
      { code: 'no-token' },
    )
  })

  it('refuses options that are no good', async () => {
    await expect(verify({}, { secret: '' })).rejects.toThrow('secret must not be empty')
    await expect(verify({}, { tolerance: -1 })).rejects.toThrow('tolerance must not be negative')
  })
})
