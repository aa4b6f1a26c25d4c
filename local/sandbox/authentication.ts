import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { serviceClaims } from '../../lib/platform/contract/tokens.ts'
import type { AccountRecord, ProjectRecord } from './records.ts'
import { TokenRefusal } from './refusal.ts'
import type { Store } from './store.ts'
import { describeProblem } from './validation.ts'

/** Finds out which project signed a request. @throws TokenRefusal that says what is wrong with its token or its project */
export type Authenticate = (headers: Headers) => ProjectRecord

export interface Authentication {
  readonly authenticate: Authenticate
  /** Finds out whether the account signed a request. @throws TokenRefusal */
  readonly authenticateAccount: (headers: Headers) => AccountRecord
}

/** Seconds by which a caller's clock may differ from ours. */
export const TOLERATED_SKEW = 5

export function createAuthentication(store: Store, clock: Clock, headerNames: readonly string[]): Authentication {
  /** Finds whoever has the token's key and checks that its secret signed a token of that kind. */
  function identify(headers: Headers, kind: 'project' | 'account') {
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
    if (claims.data.iat > now / 1000 + TOLERATED_SKEW)
      throw new TokenRefusal('unreliable', 'The token’s iat lies in the future.')
    return { project, account }
  }

  return {
    authenticate(headers) {
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
    authenticateAccount(headers) {
      const { account } = identify(headers, 'account')
      if (!account)
        throw new TokenRefusal('unknownKey', 'The token’s iss is a project’s key: this operation needs the account’s.')
      return account
    },
  }
}

const orAccount = (kind: 'project' | 'account') => (kind === 'account' ? ' or the account' : '')

function tokenFrom(headers: Headers, names: readonly string[]): string {
  const token = names.map((name) => headers.get(name)).find((value) => value)
  if (token?.includes(':') || (!token && hasLegacyHeader(headers)))
    throw new TokenRefusal('missing', `The header of key and secret expired in July 2017: send a token in ${names[0]}.`)
  if (!token) throw new TokenRefusal('missing', `There is no token: send one in ${names[0]}.`)
  return token
}

/** Looked for where there is no token only: to tell all names, Node must make Headers of what it has received. */
const hasLegacyHeader = (headers: Headers) => [...headers.keys()].some((name) => name.endsWith('-partner-auth'))

/** A JSON Web Token as it was sent: nothing in it has been checked. */
interface Token {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  /** What the signature is about. */
  readonly signed: string
  readonly signature: string
}

/** Reads each part once: jose’s functions, one for each part, take as long as checking the signature. */
function readToken(token: string): Token {
  const [header = '', claims = '', signature, ...more] = token.split('.')
  if (signature === undefined || more.length > 0) throw new TokenRefusal('malformed', NO_TOKEN)
  return { header: decode(header), claims: decode(claims), signed: `${header}.${claims}`, signature }
}

const NO_TOKEN = 'The token is not a JSON Web Token.'

function decode(part: string): Readonly<Record<string, unknown>> {
  const value = parseOrNull(Buffer.from(part, 'base64url').toString())
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TokenRefusal('malformed', NO_TOKEN)
  return value as Record<string, unknown>
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Finds that a token's algorithm, signature and times are as they must be. Node's own HMAC answers at once; jose's goes
 * through another thread, which costs more than everything else about a request.
 */
function verify({ header, claims, signed, signature }: Token, secret: string, now: number): void {
  if (header.alg !== 'HS256') throw new TokenRefusal('unreliable', 'The token must be signed by HS256.')
  const expected = createHmac('sha256', secret).update(signed).digest('base64url')
  if (header.crit !== undefined || !isEqual(signature, expected))
    throw new TokenRefusal('wrongSecret', 'The token’s signature does not match the project’s secret.')
  const seconds = Math.floor(now / 1000)
  if (Number(claims.exp) <= seconds - TOLERATED_SKEW) throw new TokenRefusal('unreliable', 'The token has expired.')
  if (Number(claims.nbf) > seconds + TOLERATED_SKEW)
    throw new TokenRefusal('malformed', 'The token’s nbf is not valid.')
}

/** In a time that does not tell how much of it is right. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
