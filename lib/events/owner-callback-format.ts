import { z } from 'zod'
import { callbackClaims } from '../platform/contract/callbacks.ts'

/** Facts about callbacks to the app that owns a show. They are signed like the platform's own callbacks. */
export const ownerCallback = {
  issuer: 'showrunner',
  /** Seconds for which a token is valid. A repeated callback is signed again. */
  lifetime: 300,
  /** Seconds that an app may take to answer. */
  patience: 10,
  /** Statuses below 500 that ask for a retry: timeout, too early, too many requests. */
  retryableStatuses: [408, 425, 429] as readonly number[],
  /** Carries the token in EdDSA; `Authorization` carries one in HS256. */
  signatureHeader: 'Showrunner-Signature',
  signatureAlgorithm: 'EdDSA',
  /** Characters of a show's callback secret. */
  minSecretLength: 32,
  /** Both carry the event's id, to deduplicate by. */
  idHeaders: ['Idempotency-Key', 'X-Showrunner-Event'],
} as const

const ownerCallbackClaims = callbackClaims.extend({
  iss: z.literal(ownerCallback.issuer),
  /** The callback's URL without its query. */
  aud: z.string(),
  jti: z.string(),
})
export type OwnerCallbackClaims = z.output<typeof ownerCallbackClaims>

/** Public keys of callbacks: a JSON Web Key Set (RFC 7517). */
export const callbackKeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string().describe('Thumbprint of the key (RFC 7638), which tokens name.'),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
    }),
  ),
})
export type CallbackKeySet = z.output<typeof callbackKeySet>

/** Returns the audience of callbacks to a URL. It omits the query, which may be confidential. */
export function audienceOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
