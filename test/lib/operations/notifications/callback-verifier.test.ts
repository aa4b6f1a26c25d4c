import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import {
  type ShowrunnerCallbackOptions,
  verifyShowrunnerCallback,
} from '../../../../lib/operations/notifications/callback-verifier.ts'
import {
  CallbackError,
  type CallbackProblem,
  KeysUnavailableError,
} from '../../../../lib/platform/client/callbacks/signed-bodies.ts'
import { listen } from '../../../../local/cloud/server.ts'

const clock = createSteppedClock(1795166400000)
const now = clock.now() / 1000
const secret = 'the secret that the show names, of 32 or more'
const url = 'https://app.example.com/hook'
const event = { id: 'a-show/show.ended///', event: 'show.ended', at: '2026-11-20T09:00:00.000Z', showId: 'a-show' }
const body = JSON.stringify({ ...event, addedLater: true })

const pairOf = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'EdDSA' } }
}
const [pair, other] = [pairOf('one'), pairOf('two')]
const keys = { keys: [other.jwk, pair.jwk] } as JSONWebKeySet

const claimsFor = (text: string): JWTPayload => ({
  iss: 'showrunner',
  aud: url,
  iat: now,
  exp: now + 300,
  jti: event.id,
  payload_hash: createHash('sha256').update(text).digest('hex'),
})
const signBySecret = (payload: JWTPayload, key = secret) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key))
const signByKey = (payload: JWTPayload, { kid, privateKey }: { kid: string; privateKey: KeyObject } = pair) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid }).sign(privateKey)

interface Changes {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly signed?: string
  readonly received?: string | Uint8Array
}
type Options = Partial<ShowrunnerCallbackOptions>
const claimsOf = ({ claims = {}, signed = body }: Changes) => ({ ...claimsFor(signed), ...claims }) as JWTPayload

/** Each verifies a body under a token for it, both changed as asked. */
const ways = {
  async 'by keys'(changes: Changes = {}, options: Options = {}) {
    const signature = await signByKey(claimsOf(changes))
    const { received = changes.signed ?? body } = changes
    return verifyShowrunnerCallback({ signature, body: received }, { url, keys, clock, ...options })
  },
  async 'by a secret'(changes: Changes = {}, options: Options = {}) {
    const authorization = `Bearer ${await signBySecret(claimsOf(changes))}`
    const { received = changes.signed ?? body } = changes
    return verifyShowrunnerCallback({ authorization, body: received }, { url, secret, clock, ...options })
  },
}
const codeOf = (verified: Promise<unknown>) =>
  verified.then(
    () => 'believed',
    (error) => {
      expect(error).toBeInstanceOf(CallbackError)
      return error.code as CallbackProblem
    },
  )

describe.each(Object.entries(ways))('verifyShowrunnerCallback, %s', (_, verify) => {
  it('returns the event, without what a later version may add', async () => {
    expect(await verify()).toEqual(event)
    expect(await verify({ received: Buffer.from(body) })).toEqual(event)
  })

  it('holds a callback to the URL that it was meant for, whose query does not count', async () => {
    expect(await verify({}, { url: `${url}?key=a` })).toEqual(event)
    expect(await codeOf(verify({}, { url: 'https://other.example.com/hook' }))).toBe('wrong-audience')
  })

  it('tolerates clocks that differ by a few seconds, or by as much as it is given', async () => {
    await verify({ claims: { iat: now + 4 } })
    await verify({ claims: { iat: now - 304, exp: now - 4 } })
    await verify({ claims: { iat: now + 40 } }, { tolerance: 60 })
  })

  it.each<[string, Changes, CallbackProblem]>([
    ['comes from another issuer', { claims: { iss: 'the-platform' } }, 'wrong-issuer'],
    ['does not say from whom it comes', { claims: { iss: undefined } }, 'invalid-token'],
    ['is for no audience', { claims: { aud: undefined } }, 'invalid-token'],
    ['is over', { claims: { exp: now - 6 } }, 'expired'],
    ['is older than five minutes, however long it claims to last', { claims: { iat: now - 306 } }, 'expired'],
    ['is from the future', { claims: { iat: now + 6 } }, 'not-yet-valid'],
    ['has another body', { received: `${body} ` }, 'wrong-body'],
    ['holds no JSON', { signed: 'ended' }, 'unknown-event'],
    ['has no event', { signed: '{"id":"a"}' }, 'unknown-event'],
    ['holds an event of a later version', { signed: body.replace('"show.ended"', '"show.praised"') }, 'unknown-event'],
  ])('refuses what %s', async (_what, changes, code) => expect(await codeOf(verify(changes))).toBe(code))
})

describe('verifyShowrunnerCallback', () => {
  const byKeys = (signature: string | undefined, options: Options = {}) =>
    verifyShowrunnerCallback({ signature, body }, { url, keys, clock, ...options })
  const bySecret = (authorization: string | undefined, options: Options = {}) =>
    verifyShowrunnerCallback({ authorization, body }, { url, secret, clock, ...options })

  it('takes any of the published keys, and no other', async () => {
    expect(await byKeys(await signByKey(claimsFor(body), other))).toEqual(event)
    expect(await codeOf(byKeys(await signByKey(claimsFor(body), pairOf('three'))))).toBe('wrong-signature')
    expect(await codeOf(byKeys(await signByKey(claimsFor(body), pairOf('one'))))).toBe('wrong-signature')
  })

  it('takes any of several secrets, and no other', async () => {
    const next = 'the next one, which has 32 characters as well'
    const authorization = await signBySecret(claimsFor(body), next)
    expect(await codeOf(bySecret(authorization))).toBe('wrong-signature')
    expect(await bySecret(authorization, { secret: [secret, next] })).toEqual(event)
    const late = await signBySecret({ ...claimsFor(body), exp: now - 60 })
    expect(await codeOf(bySecret(late, { secret: [secret, next] }))).toBe('expired')
  })

  it('takes no token of the other kind: a public key is not a secret', async () => {
    expect(await codeOf(byKeys(await signBySecret(claimsFor(body), JSON.stringify(pair.jwk))))).toBe('invalid-token')
    expect(await codeOf(bySecret(await signByKey(claimsFor(body))))).toBe('invalid-token')
    const bearer = await signByKey(claimsFor(body))
    expect(await codeOf(verifyShowrunnerCallback({ authorization: bearer, body }, { url, keys, clock }))).toBe(
      'no-token',
    )
  })

  it('refuses what is not signed', async () => {
    expect(await codeOf(byKeys(undefined))).toBe('no-token')
    expect(await codeOf(bySecret(undefined))).toBe('no-token')
  })

  it('fetches keys from an address, once for many callbacks, and says so when there are none', async () => {
    let asked = 0
    const api = await listen(async () => Response.json(keys, { status: ++asked > 1 ? 500 : 200 }))
    onTestFinished(api.close)
    const signature = await signByKey(claimsFor(body))
    const address = { keys: `${api.url}/.well-known/jwks.json` }
    for (let times = 0; times < 3; times++) expect(await byKeys(signature, address)).toEqual(event)
    expect(asked).toBe(1)
    await expect(byKeys(signature, { keys: new URL(`${api.url}/none`) })).rejects.toBeInstanceOf(KeysUnavailableError)
  })

  it.each<[string, object]>([
    ['url must be the callback URL of the show', { url: undefined }],
    ['url must be', { url: 'app' }],
    ['pass either keys or secret', { keys: undefined }],
    ['pass either keys or secret', { secret }],
    [
      'secret must have at least 32 characters',
      { keys: undefined, secret: [secret, 'of 31 characters, one too few..'] },
    ],
    ['tolerance must not be negative', { tolerance: -1 }],
    ['keys must be an https address', { keys: 'http://api.example.com/.well-known/jwks.json' }],
  ])('refuses options: %s', async (words, options) => {
    await expect(byKeys(await signByKey(claimsFor(body)), options as Options)).rejects.toThrow(words)
  })
})
