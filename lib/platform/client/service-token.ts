import { type CryptoKey, SignJWT } from 'jose'
import { limits } from '../contract/limits.ts'
import { createNonce } from './nonce.ts'

/** Seconds; the specification recommends three minutes and a new token per call. */
export const DEFAULT_TOKEN_LIFETIME = 180

export interface ServiceCredentials {
  readonly kind: 'project' | 'account'
  readonly key: string
  /** The secret, ready for signing. */
  readonly signingKey: CryptoKey
}

/** Says what is wrong with a token's lifetime in seconds, or undefined when it is fine. */
export function lifetimeProblem(lifetime: number): string | undefined {
  const { value } = limits.tokenLifetime
  return Number.isInteger(lifetime) && lifetime > 0 && lifetime <= value
    ? undefined
    : `tokenLifetime must be a whole number of seconds from 1 to ${value}`
}

/** Signs the token of one attempt (claims: contract/tokens.ts). */
export function signServiceToken(
  { kind, key, signingKey }: ServiceCredentials,
  { now, lifetime, random }: { now: number; lifetime: number; random: () => number },
): Promise<string> {
  const iat = Math.floor(now / 1000)
  return new SignJWT({ iss: key, ist: kind, iat, exp: iat + lifetime, jti: createNonce(random) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(signingKey)
}
