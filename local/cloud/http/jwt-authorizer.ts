import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose'

export interface JwtConfiguration {
  readonly issuer: string
  readonly audience: readonly string[]
}

export interface JwtAuthorizerOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly fetch: typeof globalThis.fetch
}

type Keys = ReturnType<typeof createRemoteJWKSet>

/**
 * Creates API Gateway’s JWT authorizer. It returns the claims of an `Authorization` header, or undefined if it refuses
 * it. Of the RSA algorithms it supports RS256.
 */
export function createJwtAuthorizer({ now, fetch }: JwtAuthorizerOptions) {
  const keysByIssuer = new Map<string, Keys>()
  const keysOf = async (issuer: string): Promise<Keys> => {
    const keys = keysByIssuer.get(issuer) ?? (await discoverKeys(issuer, fetch)) // after a failure, the next request fetches again
    keysByIssuer.set(issuer, keys)
    return keys
  }

  return async ({ issuer, audience }: JwtConfiguration, authorization: string): Promise<JWTPayload | undefined> => {
    const token = authorization.replace(/^bearer +/i, '')
    if (!token) return undefined
    try {
      const expected = { issuer, algorithms: ['RS256'], requiredClaims: ['exp'], currentDate: new Date(now()) }
      const { payload } = await jwtVerify(token, await keysOf(issuer), expected)
      const isForUs = [payload.aud ?? payload.client_id].flat().some((one) => audience.includes(String(one)))
      const isFromFuture = (payload.iat ?? 0) * 1000 > now()
      return isForUs && !isFromFuture ? payload : undefined
    } catch {
      return undefined // API Gateway does not report the reason to callers either
    }
  }
}

/** Returns the scopes of `scope`, a text with spaces, or `scp`, which may be a list. */
export const scopesOf = ({ scope, scp }: JWTPayload): string[] =>
  [scope ?? scp ?? []].flat().flatMap((text) => String(text).split(' '))

/** Fetches an issuer’s keys (OpenID Connect Discovery 1.0, section 4). */
async function discoverKeys(issuer: string, fetch: typeof globalThis.fetch): Promise<Keys> {
  const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const { jwks_uri: address } = (await answer.json()) as { jwks_uri: string }
  return createRemoteJWKSet(new URL(address), { [customFetch]: fetch as never })
}
