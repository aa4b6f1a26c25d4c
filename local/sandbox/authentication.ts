import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose'
import type { Clock } from '../../lib/clock.ts'
import { serviceClaims } from '../../lib/platform/contract/tokens.ts'
import type { AccountRecord, ProjectRecord } from './records.ts'
import { TokenRefusal } from './refusal.ts'
import type { Store } from './store.ts'
import { describeProblem } from './validation.ts'

/** Finds out which project signed a request. @throws TokenRefusal that says what is wrong with its token or its project */
export type Authenticate = (headers: Headers) => Promise<ProjectRecord>

export interface Authentication {
  readonly authenticate: Authenticate
  /** Finds out whether the account signed a request. @throws TokenRefusal */
  readonly authenticateAccount: (headers: Headers) => Promise<AccountRecord>
}

/** Seconds by which a caller's clock may differ from ours. */
export const TOLERATED_SKEW = 5

export function createAuthentication(store: Store, clock: Clock, headerNames: readonly string[]): Authentication {
  /** Finds whoever has the token's key and checks that its secret signed a token of that kind. */
  async function identify(headers: Headers, kind: 'project' | 'account') {
    const token = tokenFrom(headers, headerNames)
    const issuer = issuerOf(token)
    const project = store.projects.get(issuer)
    const account = project ? undefined : store.accounts.get(issuer)
    const secret = (project ?? account)?.secret
    if (secret === undefined)
      throw new TokenRefusal('unknownKey', `The token’s iss is not the API key of a project${orAccount(kind)}.`)
    const now = clock.now()
    const claims = serviceClaims.safeParse(verify(token, secret, now))
    if (!claims.success) throw new TokenRefusal('malformed', `The token is invalid: ${describeProblem(claims.error)}.`)
    if (claims.data.ist !== kind)
      throw new TokenRefusal('malformed', `The token’s ist must be ${kind} for this operation.`)
    if (claims.data.iat > now / 1000 + TOLERATED_SKEW)
      throw new TokenRefusal('unreliable', 'The token’s iat lies in the future.')
    return { project, account }
  }

  return {
    async authenticate(headers) {
      const { project } = await identify(headers, 'project')
      if (!project)
        throw new TokenRefusal('unknownKey', 'The token’s iss is the account’s key: this operation needs a project’s.')
      const { usableFrom = 0, status } = project
      if (clock.now() < usableFrom)
        throw new TokenRefusal('unknownKey', 'The project is new: its key can be used within a minute.')
      if (status === 'SUSPENDED')
        throw new TokenRefusal('unknownKey', 'The project is suspended: its key cannot be used.')
      return project
    },
    async authenticateAccount(headers) {
      const { account } = await identify(headers, 'account')
      if (!account)
        throw new TokenRefusal('unknownKey', 'The token’s iss is a project’s key: this operation needs the account’s.')
      return account
    },
  }
}

const orAccount = (kind: 'project' | 'account') => (kind === 'account' ? ' or the account' : '')

function tokenFrom(headers: Headers, names: readonly string[]): string {
  const token = names.map((name) => headers.get(name)).find((value) => value)
  const legacy = [...headers.keys()].some((name) => name.endsWith('-partner-auth'))
  if (legacy || token?.includes(':'))
    throw new TokenRefusal('missing', `The header of key and secret expired in July 2017: send a token in ${names[0]}.`)
  if (!token) throw new TokenRefusal('missing', `There is no token: send one in ${names[0]}.`)
  return token
}

function issuerOf(token: string): string {
  try {
    return String(decodeJwt(token).iss)
  } catch {
    throw new TokenRefusal('malformed', 'The token is not a JSON Web Token.')
  }
}

/**
 * Reads a token whose algorithm, signature and times are as they must be. Node's own HMAC answers at once; jose's goes
 * through another thread, which costs more than everything else about a request.
 */
function verify(token: string, secret: string, now: number): unknown {
  const { alg, crit } = headerOf(token)
  if (alg !== 'HS256') throw new TokenRefusal('unreliable', 'The token must be signed by HS256.')
  const [signed, signature] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)]
  const expected = createHmac('sha256', secret).update(signed).digest('base64url')
  if (crit !== undefined || !isEqual(signature, expected))
    throw new TokenRefusal('wrongSecret', 'The token’s signature does not match the project’s secret.')
  const claims = decodeJwt(token)
  const seconds = Math.floor(now / 1000)
  if (Number(claims.exp) <= seconds - TOLERATED_SKEW) throw new TokenRefusal('unreliable', 'The token has expired.')
  if (Number(claims.nbf) > seconds + TOLERATED_SKEW)
    throw new TokenRefusal('malformed', 'The token’s nbf is not valid.')
  return claims
}

function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token)
  } catch {
    throw new TokenRefusal('malformed', 'The token is not a JSON Web Token.')
  }
}

/** In a time that does not tell how much of it is right. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
