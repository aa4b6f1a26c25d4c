import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/**
 * A local OIDC issuer. It signs tokens for the user of this machine, and publishes the verifying key. Each start
 * creates a new key, so no token outlives it.
 */
export type Issuer = Awaited<ReturnType<typeof createIssuer>>

const ALGORITHM = 'RS256'
const KEY_ID = 'laptop'

/** @param url returns the issuer’s URL, which is the tokens’ `iss` */
export async function createIssuer(url: () => string) {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM)
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: ALGORITHM, use: 'sig' }] }
  const documents = new Map<string, () => object>([
    ['/.well-known/openid-configuration', () => ({ issuer: url(), jwks_uri: `${url()}/.well-known/jwks.json` })],
    ['/.well-known/jwks.json', () => jwks],
  ])
  return {
    /** Serves the discovery document and the keys. */
    async fetch(request: Request): Promise<Response> {
      const document = request.method === 'GET' && documents.get(new URL(request.url).pathname)
      return document ? Response.json(document()) : Response.json({ message: 'Not Found' }, { status: 404 })
    },
    /** Signs a token with these claims for `audience`, valid for `seconds` from `now` (milliseconds since the epoch). */
    sign: (
      claims: JWTPayload & { sub: string },
      { audience, seconds, now }: { audience: string; seconds: number; now: number },
    ) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID })
        .setIssuer(url())
        .setAudience(audience)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor(now / 1000) + seconds)
        .sign(privateKey),
  }
}
