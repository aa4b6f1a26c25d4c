import { SignJWT } from 'jose'
import { type Clock, realClock } from '../../clock.ts'
import { sessionIds } from '../contract/sessions.ts'
import { clientClaims, type clientRoles } from '../contract/tokens.ts'
import { createNonce, secureRandom } from './http/nonce.ts'

export interface ClientTokenOptions {
  readonly apiKey: string
  readonly apiSecret: string
  /** A session of this API key. */
  readonly sessionId: string
  readonly role: (typeof clientRoles)[number]
  /** Connection data, which the other clients of the session and the callbacks see. */
  readonly data?: string
  /** Seconds until the token can no longer connect, a whole number; 3,600 unless told. Connected clients stay. */
  readonly expiresIn?: number
  /** Layout classes that the streams of this client begin with. */
  readonly layoutClasses?: readonly string[]
  readonly clock?: Clock
  /** Numbers in [0, 1), for the nonce. */
  readonly random?: () => number
}

/**
 * Makes the token with which one participant connects to a session (claims: contract/tokens.ts).
 * @throws TypeError when an option is no good
 */
export async function createClientToken({
  apiKey,
  apiSecret,
  sessionId,
  role,
  data,
  expiresIn = 3_600,
  layoutClasses = [],
  clock = realClock,
  random = secureRandom,
}: ClientTokenOptions): Promise<string> {
  const need = (good: boolean, problem: string) => {
    if (!good) throw new TypeError(`createClientToken: ${problem}.`)
  }
  need(apiSecret !== '', 'apiSecret must not be empty')
  need(sessionIds.apiKeyOf(sessionId) === apiKey, 'sessionId must be a session of this API key')
  need(Number.isInteger(expiresIn) && expiresIn > 0, 'expiresIn must be a whole number of seconds above 0')
  need(
    layoutClasses.every((name) => /^\S+$/.test(name)),
    'layoutClasses must be names without spaces',
  )

  const iat = Math.floor(clock.now() / 1000)
  const claims = {
    iss: apiKey,
    ist: 'project',
    iat,
    exp: iat + expiresIn,
    session_id: sessionId,
    role,
    nonce: createNonce(random),
    scope: 'session.connect',
    initial_layout_class_list: layoutClasses.join(' '),
    ...(data !== undefined && { connection_data: data }),
  }
  const { error } = clientClaims.safeParse(claims)
  if (error) throw new TypeError(`createClientToken: ${error.issues[0]?.path.join('.')} is not valid.`)
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(apiSecret))
}
