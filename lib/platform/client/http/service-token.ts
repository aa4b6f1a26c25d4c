import { createHmac } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import { createNonce } from './nonce.ts'

/** Seconds. The platform recommends three minutes and a new token per call. */
export const DEFAULT_TOKEN_LIFETIME = 180

/** Returns the problem of a token's lifetime in seconds; undefined if it is valid. */
export function lifetimeProblem(lifetime: number): string | undefined {
  const { value } = limits.tokenLifetime
  return Number.isInteger(lifetime) && lifetime > 0 && lifetime <= value
    ? undefined
    : `tokenLifetime must be a whole number of seconds from 1 to ${value}`
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/**
 * Signs the token of one attempt. Its claims are those of contract/tokens.ts.
 *
 * jose signs with WebCrypto in another thread, which takes longer than the rest of a call. Node's HMAC is synchronous
 * (`npm run bench -- platform`).
 */
export function signServiceToken(
  { kind, key, secret }: { readonly kind: 'project' | 'account'; readonly key: string; readonly secret: string },
  { now, lifetime, random }: { now: number; lifetime: number; random: () => number },
): string {
  const iat = Math.floor(now / 1000)
  const claims = { iss: key, ist: kind, iat, exp: iat + lifetime, jti: createNonce(random) }
  const signed = `${HEADER}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
