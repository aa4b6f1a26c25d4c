import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { openPrivateFile } from '../endpoint/private-file.ts'

/** A local OIDC issuer. It signs tokens for the user of this machine, and publishes the verifying key. */
export type Issuer = Awaited<ReturnType<typeof createIssuer>>

const ALGORITHM = 'RS256'
const KEY_ID = 'laptop'

/** Members of a key that are public (RFC 7518, section 6.3.1). */
const publicPart = ({ kty, n, e }: JWK): JWK => ({ kty, n, e }) as JWK

/**
 * @param url returns the issuer’s URL, which is the tokens’ `iss`
 * @param directory keeps the signing key in `issuer.json`, so that tokens outlive a restart. @default a new key, in memory
 */
export async function createIssuer(url: () => string, directory?: string) {
  const file = openPrivateFile<{ key?: JWK }>(directory, 'issuer.json', {})
  if (!file.content.key) {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    file.content.key = await exportJWK(privateKey)
    file.save()
  }
  const { key } = file.content
  const privateKey = await importJWK(key, ALGORITHM)
  const jwks = { keys: [{ ...publicPart(key), kid: KEY_ID, alg: ALGORITHM, use: 'sig' }] }
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
