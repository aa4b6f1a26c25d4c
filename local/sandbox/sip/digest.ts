import { createHash } from 'node:crypto'
import { divide, fieldsOf, headerOf, type Parameters, parseParameters } from './messages/headers.ts'
import { type Header, type SipRequest, type SipResponse, SipSyntaxError } from './messages/message.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Hashes of RFC 8760, the strongest first. */
const algorithms = { 'SHA-512-256': 'sha512-256', 'SHA-256': 'sha256', MD5: 'md5' } as const
type Algorithm = keyof typeof algorithms

interface Challenge {
  /** Name of the field that carries the answer. */
  readonly field: 'Authorization' | 'Proxy-Authorization'
  readonly algorithm: Algorithm
  readonly isSession: boolean
  readonly parameters: Parameters
}

/** Answers the challenges of one call or registration. */
export type DigestAuthentication = ReturnType<typeof createDigestAuthentication>

/**
 * Creates digest authentication (RFC 3261, 22.4, and RFC 8760) with one user's credentials.
 * @param nonce creates a client nonce
 */
export function createDigestAuthentication({ username, password }: Credentials, nonce: () => string) {
  const challenges = new Map<string, { readonly challenge: Challenge; count: number }>()
  return {
    /**
     * Takes the challenges of a 401 or 407. Returns false if the request cannot be repeated: the credentials were
     * refused, or no challenge is understood.
     */
    challenge(response: SipResponse, request: SipRequest): boolean {
      const found = challengesOf(response)
      let hasNew = false
      for (const challenge of found) {
        const key = `${challenge.field} ${challenge.parameters.get('realm')}`
        const known = challenges.get(key)
        const wasSent = headerOf(request, challenge.field) !== undefined && known !== undefined
        const isStale = challenge.parameters.get('stale')?.toLowerCase() === 'true'
        // A nonce that was accepted before may have expired without a note.
        if (wasSent && !isStale && known.count < 2) continue
        challenges.set(key, { challenge, count: 0 })
        hasNew = true
      }
      return hasNew
    },
    /** Returns the fields that authenticate a request. */
    headersFor({ method, uri, body }: Pick<SipRequest, 'method' | 'uri' | 'body'>): Header[] {
      return [...challenges.values()].map((entry) => {
        entry.count++
        return { name: entry.challenge.field, value: answer(entry.challenge, entry.count, { method, uri, body }) }
      })
    },
  }

  function answer(
    { parameters, algorithm, isSession }: Challenge,
    count: number,
    { method, uri, body }: Pick<SipRequest, 'method' | 'uri' | 'body'>,
  ): string {
    const hash = (text: string) => createHash(algorithms[algorithm]).update(text).digest('hex')
    const realm = parameters.get('realm') ?? ''
    const serverNonce = parameters.get('nonce') ?? ''
    const offered = parameters
      .get('qop')
      ?.split(',')
      .map((each) => each.trim().toLowerCase())
    const qop = offered?.includes('auth') ? 'auth' : offered?.includes('auth-int') ? 'auth-int' : undefined
    const clientNonce = nonce()
    const nc = count.toString(16).padStart(8, '0')
    const user = hash(`${username}:${realm}:${password}`)
    const first = isSession ? hash(`${user}:${serverNonce}:${clientNonce}`) : user
    const second = hash(qop === 'auth-int' ? `${method}:${uri}:${hash(body)}` : `${method}:${uri}`)
    const middle = qop ? [serverNonce, nc, clientNonce, qop] : [serverNonce]
    const opaque = parameters.get('opaque')
    const withNonce = qop || isSession
    return `Digest ${[
      `username=${quoted(username)}`,
      `realm=${quoted(realm)}`,
      `nonce=${quoted(serverNonce)}`,
      `uri=${quoted(uri)}`,
      `response="${hash([first, ...middle, second].join(':'))}"`,
      `algorithm=${algorithm}${isSession ? '-sess' : ''}`,
      ...(withNonce ? [`cnonce=${quoted(clientNonce)}`] : []),
      ...(qop ? [`qop=${qop}`, `nc=${nc}`] : []),
      ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ].join(', ')}`
  }
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Returns the strongest challenge of each realm that is understood. */
function challengesOf(response: SipResponse): Challenge[] {
  const fields = [
    ['WWW-Authenticate', 'Authorization'],
    ['Proxy-Authenticate', 'Proxy-Authorization'],
  ] as const
  const found = fields.flatMap(([name, field]) =>
    fieldsOf(response, name).flatMap((value) => parseChallenge(value, field) ?? []),
  )
  const strength = Object.keys(algorithms)
  const sorted = found.toSorted((one, other) => strength.indexOf(one.algorithm) - strength.indexOf(other.algorithm))
  const realms = new Map<string, Challenge>()
  for (const challenge of sorted) {
    const key = `${challenge.field} ${challenge.parameters.get('realm')}`
    if (!realms.has(key)) realms.set(key, challenge)
  }
  return [...realms.values()]
}

function parseChallenge(value: string, field: Challenge['field']): Challenge | undefined {
  const [, text] = /^Digest\s+(.*)$/is.exec(value) ?? []
  if (text === undefined) return undefined
  try {
    const parameters = parseParameters(divide(text, ','))
    const [, name = '', session] = /^(.*?)(-sess)?$/i.exec(parameters.get('algorithm') ?? 'MD5') ?? []
    const algorithm = name.toUpperCase()
    const isKnown = Object.hasOwn(algorithms, algorithm) && parameters.has('nonce') && parameters.has('realm')
    return isKnown
      ? { field, algorithm: algorithm as Algorithm, isSession: session !== undefined, parameters }
      : undefined
  } catch (error) {
    if (error instanceof SipSyntaxError) return undefined
    throw error
  }
}
