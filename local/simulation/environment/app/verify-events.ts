import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { realClock } from '../../../../lib/clock.ts'
import {
  type ReceivedShowrunnerCallback,
  type ShowrunnerCallbackOptions,
  verifyShowrunnerCallback,
} from '../../../../lib/operations/notifications/callback-verifier.ts'
import type { PublishedKey } from '../keys/published-keys.ts'
import type { Callback } from './event-app.ts'

/** An event that an app verified with the function of the package, as it arrived or changed. */
export interface VerifiedEvent {
  readonly callback: Callback
  readonly variant: string
  /** `accepted` and the id of the event, the code of a refusal, or the name of an error. */
  readonly outcome: string
  /** The outcome that docs/callbacks.md requires if the callback is authentic. */
  readonly expects: string
}

export interface VerifyOptions {
  readonly keys: readonly PublishedKey[]
  /** Returns values of the secret with which a callback is signed, of which one is right. */
  readonly secretsOf: (callback: Callback) => readonly string[]
}

/** Callbacks that are verified of one world: a signature takes as long as many requests. */
const MAX_CALLBACKS = 6
/** Changed variants of each. */
const VARIANTS = 3
const LIFETIME = 300 // seconds

/** Verifies some callbacks as an event app does, and changed variants of them, each at the time of its arrival. */
export async function verifyEvents(callbacks: readonly Callback[], options: VerifyOptions): Promise<VerifiedEvent[]> {
  const step = Math.max(1, Math.floor(callbacks.length / MAX_CALLBACKS))
  const some = callbacks.filter((_, index) => index % step === 0).slice(0, MAX_CALLBACKS)
  const verified: VerifiedEvent[] = []
  for (const [index, callback] of some.entries()) {
    const [genuine, changed] = variantsOf(callback, options)
    const first = (callbacks.length + index) * VARIANTS
    const picked = Array.from({ length: VARIANTS }, (_, at) => changed[(first + at) % changed.length] ?? [])
    for (const variant of [...genuine, ...picked.flat()]) {
      const { name, received, using, expects } = variant
      verified.push({ callback, variant: name, expects, outcome: await verify(received, using) })
    }
  }
  return verified
}

interface Variant {
  readonly name: string
  readonly received: ReceivedShowrunnerCallback
  readonly using: ShowrunnerCallbackOptions
  readonly expects: string
}

function variantsOf(callback: Callback, { keys, secretsOf }: VerifyOptions): [Variant[], Variant[][]] {
  const { url, headers, body, at } = callback
  const received = { signature: headers['showrunner-signature'], body }
  const sealed = { authorization: headers.authorization, body }
  const secrets = secretsOf(callback)
  const of = (time: number): ShowrunnerCallbackOptions => ({ url, keys: { keys: [...keys] }, clock: clockAt(time) })
  const bySecrets = (...values: readonly string[]) => ({ url, secret: values, clock: clockAt(at) })
  const signedAt = issuedAt(received.signature) * 1000
  const accepted = `accepted ${(JSON.parse(body) as { id: string }).id}`
  const one = (name: string, expects: string, given: ReceivedShowrunnerCallback, using: ShowrunnerCallbackOptions) => ({
    ...{ name, expects, received: given, using },
  })
  const after = (seconds: number) => of(signedAt + seconds * 1000)
  const foreign = keys.map((key) => ({ ...key, x: stranger.x }))
  const forged = (text: string, claims: object) => one('', '', ...signedByStranger(text, { url, at, ...claims }))
  const another = 'x'.repeat(32)
  return [
    [
      one('by the published keys', accepted, received, of(at)),
      one('by the old and the new secret', accepted, sealed, bySecrets(another, ...secrets)),
    ],
    [
      [one('with another body', 'wrong-body', { ...received, body: `${body} ` }, of(at))],
      [one('as bytes', accepted, { ...received, body: Buffer.from(body) }, of(at))],
      [one('for another app', 'wrong-audience', received, { ...of(at), url: `${url.replace(/\?.*/, '')}/other` })],
      [one('for its app with a query', accepted, received, { ...of(at), url: `${url.replace(/\?.*/, '')}?a=b` })],
      [
        one('just before its end', accepted, received, after(LIFETIME + 4)),
        one('after its end', 'expired', received, after(LIFETIME + 6)),
      ],
      [
        one('by a clock that is behind', accepted, received, after(-4)),
        one('from the future', 'not-yet-valid', received, after(-6)),
      ],
      [one('with another tolerance', accepted, received, { ...after(-50), tolerance: 60 })],
      [one('without its signature', 'no-token', { body }, of(at))],
      [one('with a signature that is none', 'invalid-token', { ...received, signature: 'none' }, of(at))],
      [
        one('with its other token', 'invalid-token', { body, signature: headers.authorization?.slice(7) }, of(at)),
        one('by keys of another deployment', 'wrong-signature', received, { ...of(at), keys: { keys: foreign } }),
      ],
      [one('by other keys', 'wrong-signature', received, { ...of(at), keys: { keys: [stranger] } })],
      [one('by another secret', 'wrong-signature', sealed, bySecrets(another))],
      [one('without its token', 'no-token', { body }, bySecrets(...secrets))],
      [
        {
          ...forged(body.replace(/"event":"[a-z.]+"/, '"event":"other"'), {}),
          ...{ name: 'with an unknown event', expects: 'unknown-event' },
        },
      ],
      [{ ...forged('none', {}), name: 'without JSON', expects: 'unknown-event' }],
      [{ ...forged(body, { iss: 'another' }), name: 'of another issuer', expects: 'wrong-issuer' }],
      [{ ...forged(body, { exp: undefined }), name: 'without an end', expects: 'invalid-token' }],
      [{ ...forged(body, { iat: at / 1000 - LIFETIME - 6 }), name: 'with a long life', expects: 'expired' }],
      [
        one('by a short secret', 'TypeError', sealed, bySecrets('short')),
        one('by nothing', 'TypeError', sealed, { url }),
        one('by both', 'TypeError', received, { ...of(at), secret: another }),
      ],
      [
        one('for no URL', 'TypeError', received, { ...of(at), url: 'none' }),
        one('with a negative tolerance', 'TypeError', received, { ...of(at), tolerance: -1 }),
        one('by keys from an open address', 'TypeError', received, { ...of(at), keys: 'http://keys.example.com' }),
      ],
    ],
  ]
}

async function verify(received: ReceivedShowrunnerCallback, using: ShowrunnerCallbackOptions): Promise<string> {
  try {
    const { id } = await verifyShowrunnerCallback(received, using)
    return `accepted ${id}`
  } catch (error) {
    const { code, name } = error as { readonly code?: string; readonly name: string }
    return code ?? name
  }
}

const clockAt = (time: number) => ({ ...realClock, now: () => time })

/** Returns when a token was signed, in seconds since 1970. */
function issuedAt(token = ''): number {
  const [, claims = 'e30'] = token.split('.')
  return Number((JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat?: number }).iat)
}

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
/** The key of a sender whom no deployment has. */
const stranger = { ...publicKey.export({ format: 'jwk' }), kid: 'stranger' } as PublishedKey

/** Signs a text as a deployment with another key does, and returns it with options that trust this key. */
function signedByStranger(
  body: string,
  { url, at, ...changes }: { readonly url: string; readonly at: number },
): [ReceivedShowrunnerCallback, ShowrunnerCallbackOptions] {
  const [iat, hash] = [Math.floor(at / 1000), createHash('sha256').update(body).digest('hex')]
  const audience = url.replace(/\?.*/, '')
  const claims = {
    iss: 'showrunner',
    aud: audience,
    jti: 'x',
    iat,
    exp: iat + LIFETIME,
    payload_hash: hash,
    ...changes,
  }
  const text = [{ alg: 'EdDSA', kid: stranger.kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  return [
    { signature, body },
    { url, keys: { keys: [stranger] }, clock: clockAt(at) },
  ]
}
