import { z } from 'zod'
import { callbackClaims } from '../platform/contract/callbacks.ts'

/** How Showrunner posts the events of a show to the app that owns it; signed as the platform signs its own callbacks. */
export const ownerCallback = {
  issuer: 'showrunner',
  /** Seconds for which a token is valid; a callback that is repeated is signed anew. */
  lifetime: 300,
  /** Seconds an app has for its answer. */
  patience: 10,
  /** Carries the token that is signed with Ed25519; `Authorization` carries one in HS256. */
  signatureHeader: 'Showrunner-Signature',
  signatureAlgorithm: 'EdDSA',
  /** Characters of a secret by which a show has its callbacks signed. */
  minSecretLength: 32,
  /** Both carry the event's id, by which a repeated callback is known. */
  idHeaders: ['Idempotency-Key', 'X-Showrunner-Event'],
} as const

/** Claims of a callback's token. */
const ownerCallbackClaims = callbackClaims.extend({
  iss: z.literal(ownerCallback.issuer),
  /** The callback's URL without its query. */
  aud: z.string(),
  /** The event's id. */
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
      kid: z.string().describe('Its thumbprint (RFC 7638), which tokens name.'),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
    }),
  ),
})
export type CallbackKeySet = z.output<typeof callbackKeySet>

/** The audience of callbacks to a URL. Its query stays out, since it may hold what nobody else should see. */
export function audienceOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
