import type { Clock } from '../../../lib/clock.ts'
import { type DecodedToken, decodeToken, serviceClaims } from '../../../lib/platform/contract/tokens.ts'
import type { AccountRecord, ProjectRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import { TokenRefusal } from './refusal.ts'
import { isSignedBy, timeProblem } from './signatures.ts'
import { describeProblem, type RequestHeaders } from './validation.ts'

/** Authentication of requests by the tokens of projects and of the account. */
export type Authentication = ReturnType<typeof createAuthentication>

export function createAuthentication(store: Store, clock: Clock, headerNames: readonly string[]) {
  /** Finds the project or account with the token's key, and checks that its secret signed a token of that kind. */
  function identify(headers: RequestHeaders, kind: 'project' | 'account') {
    const token = readToken(tokenFrom(headers, headerNames))
    const issuer = String(token.claims.iss)
    const project = store.projects.get(issuer)
    const account = project ? undefined : store.accounts.get(issuer)
    const secret = (project ?? account)?.secret
    if (secret === undefined)
      throw new TokenRefusal('unknownKey', `The token’s iss is not the API key of a project${orAccount(kind)}.`)
    const now = clock.now()
    verify(token, secret, now)
    const claims = serviceClaims.safeParse(token.claims)
    if (!claims.success) throw new TokenRefusal('malformed', `The token is invalid: ${describeProblem(claims.error)}.`)
    if (claims.data.ist !== kind)
      throw new TokenRefusal('malformed', `The token’s ist must be ${kind} for this operation.`)
    if (timeProblem(token.claims, now) === 'iat')
      throw new TokenRefusal('unreliable', 'The token’s iat is in the future.')
    return { project, account }
  }

  return {
    /**
     * Returns the project that signed a request.
     * @throws {@link TokenRefusal} that names the problem of its token or its project
     */
    authenticate(headers: RequestHeaders): ProjectRecord {
      const { project } = identify(headers, 'project')
      if (!project)
        throw new TokenRefusal('unknownKey', 'The token’s iss is the account’s key: this operation needs a project’s.')
      const { usableFrom = 0, status } = project
      if (clock.now() < usableFrom)
        throw new TokenRefusal('unknownKey', 'The project is new: its key can be used within a minute.')
      if (status === 'SUSPENDED')
        throw new TokenRefusal('unknownKey', 'The project is suspended: its key cannot be used.')
      return project
    },
    /** Returns the account if it signed a request. @throws {@link TokenRefusal} */
    authenticateAccount(headers: RequestHeaders): AccountRecord {
      const { account } = identify(headers, 'account')
      if (!account)
        throw new TokenRefusal('unknownKey', 'The token’s iss is a project’s key: this operation needs the account’s.')
      return account
    },
  }
}

const orAccount = (kind: 'project' | 'account') => (kind === 'account' ? ' or the account' : '')

function tokenFrom(headers: RequestHeaders, names: readonly string[]): string {
  const token = names.map((name) => headers.get(name)).find((value) => value)
  if (token?.includes(':') || (!token && hasLegacyHeader(headers)))
    throw new TokenRefusal(
      'missing',
      `The header of key and secret expired in July 2017: send a token in ${names.join(' or ')}.`,
    )
  if (!token) throw new TokenRefusal('missing', `The token is missing: send it in ${names.join(' or ')}.`)
  return token
}

/** Finds a legacy header. Call it only without a token: listing all names makes Node build its Headers, which costs time. */
const hasLegacyHeader = (headers: RequestHeaders) => [...headers.keys()].some((name) => name.endsWith('-partner-auth'))

/** @throws {@link TokenRefusal} for a token that is not a JSON Web Token */
function readToken(text: string): DecodedToken {
  const token = decodeToken(text)
  if (token?.form !== 'jwt') throw new TokenRefusal('malformed', 'The token is not a JSON Web Token.')
  return token
}

/** Checks a token's algorithm, signature and times. @throws {@link TokenRefusal} */
function verify(token: DecodedToken, secret: string, now: number): void {
  if (token.header.alg !== 'HS256') throw new TokenRefusal('unreliable', 'The token must be signed by HS256.')
  if (!isSignedBy(secret, token))
    throw new TokenRefusal('wrongSecret', 'The token’s signature does not match the project’s secret.')
  const problem = timeProblem(token.claims, now)
  if (problem === 'exp') throw new TokenRefusal('unreliable', 'The token has expired.')
  if (problem === 'nbf') throw new TokenRefusal('malformed', 'The token’s nbf is not valid.')
}
