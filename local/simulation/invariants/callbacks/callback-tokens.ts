import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import type { PublishedKey } from '../../environment/keys/published-keys.ts'

/** A received callback, as docs/callbacks.md describes it. */
export interface ReceivedCallback {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Seconds for which a token is valid, and the difference of clocks that an app accepts. */
const LIFETIME = 300
const TOLERANCE = 5

interface Token {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  readonly signed: Buffer
  readonly signature: Buffer
}

/**
 * Returns the reasons why an app refuses a callback. It is written from docs/callbacks.md with nothing of the product, so
 * that both do not share a mistake.
 * @param secrets values one of which signs the second token
 */
export function problemsOfTokens(
  callback: ReceivedCallback,
  { keys, secrets }: { readonly keys: readonly PublishedKey[]; readonly secrets: readonly string[] },
): string[] {
  const signature = read(callback.headers['showrunner-signature'])
  const authorization = read(/^Bearer (.+)$/.exec(callback.headers.authorization ?? '')?.[1])
  if (!signature) return ['it has no token in Showrunner-Signature']
  if (!authorization) return ['it has no Bearer token in Authorization']
  const key = keys.find(({ kid }) => kid === signature.header.kid)
  const isByKey = key !== undefined && signature.header.alg === 'EdDSA' && isSignedBy(key, signature)
  const isBySecret =
    authorization.header.alg === 'HS256' && secrets.some((secret) => isSealedWith(secret, authorization))
  return [
    ...(isByKey ? [] : ['no published key verifies its signature']),
    ...(isBySecret ? [] : ['its secret does not verify its second token']),
    ...claimsOf(callback, signature.claims),
    ...(JSON.stringify(signature.claims) === JSON.stringify(authorization.claims) ? [] : ['its tokens differ']),
  ]
}

function read(token: string | undefined): Token | undefined {
  const [header = '', claims = '', signature = '', ...more] = token?.split('.') ?? []
  if (!signature || more.length > 0) return undefined
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Token['claims']
  return {
    header: parse(header),
    claims: parse(claims),
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  }
}

const isSignedBy = ({ kty, crv, x }: PublishedKey, { signed, signature }: Token) =>
  verify(null, signed, createPublicKey({ key: { kty, crv, x }, format: 'jwk' }), signature)

function isSealedWith(secret: string, { signed, signature }: Token): boolean {
  const expected = createHmac('sha256', secret).update(signed).digest()
  return expected.length === signature.length && timingSafeEqual(expected, signature)
}

function claimsOf({ at, url, headers, body }: ReceivedCallback, claims: Token['claims']): string[] {
  const { iss, aud, jti, iat, exp, payload_hash: hash } = claims
  const id = (JSON.parse(body) as { id?: string }).id
  const now = at / 1000
  const isCurrent = Number(iat) <= now + TOLERANCE && now <= Number(exp) + TOLERANCE
  const expected: readonly [isRight: boolean, problem: string][] = [
    [iss === 'showrunner', `its issuer is ${iss}`],
    [aud === url.replace(/\?.*/, ''), `its audience is ${aud}`],
    [Number(exp) - Number(iat) === LIFETIME, `its token is valid for ${Number(exp) - Number(iat)} s`],
    [isCurrent, 'its token is not valid at its time'],
    [hash === createHash('sha256').update(body).digest('hex'), 'its token is signed for another body'],
    [jti === id, 'its token has the id of another event'],
    [headers['idempotency-key'] === id, 'its Idempotency-Key is not the id of its event'],
    [headers['x-showrunner-event'] === id, 'its X-Showrunner-Event is not the id of its event'],
  ]
  return expected.flatMap(([isRight, problem]) => (isRight ? [] : [problem]))
}
