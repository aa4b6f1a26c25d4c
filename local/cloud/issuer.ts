import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** An OIDC issuer for a laptop: it signs tokens for whoever runs it, and publishes the key that verifies them. */
export interface Issuer {
  fetch(request: Request): Promise<Response>
  /** A token with these claims for `audience`, valid for `seconds`. */
  sign(
    claims: JWTPayload & { sub: string },
    options: { audience: string; seconds: number; now: number },
  ): Promise<string>
}

/** @param url under which the issuer is reached; becomes the tokens' `iss` */
export async function createIssuer(url: () => string): Promise<Issuer> {
  const kid = 'laptop'
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const documents: Readonly<Record<string, () => unknown>> = {
    '/.well-known/openid-configuration': () => ({ issuer: url(), jwks_uri: `${url()}/.well-known/jwks.json` }),
    '/.well-known/jwks.json': () => jwks,
  }
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] }
  return {
    async fetch(request) {
      const document = documents[new URL(request.url).pathname]
      return document ? Response.json(document()) : Response.json({ message: 'Not Found' }, { status: 404 })
    },
    sign: (claims, { audience, seconds, now }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(url())
        .setAudience(audience)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor(now / 1000) + seconds)
        .sign(privateKey),
  }
}
