import { SignJWT } from 'jose'
import { type Clock, realClock } from '../../clock.ts'
import { sessionIds } from '../contract/sessions.ts'
import { clientClaims, type clientRoles } from '../contract/tokens.ts'
import { createNonce, secureRandom } from './http/nonce.ts'

export interface ClientTokenOptions {
  readonly apiKey: string
  readonly apiSecret: string
  /** Id of a session of this project. */
  readonly sessionId: string
  readonly role: (typeof clientRoles)[number]
  /** Connection data, which the callbacks and the other clients of the session receive. */
  readonly data?: string
  /** Whole seconds until the token expires. Connected clients stay connected. @default 3600 */
  readonly expiresIn?: number
  /** Initial layout classes of the participant's streams. @default none */
  readonly layoutClasses?: readonly string[]
  /** Source of the time. @default the system's clock */
  readonly clock?: Clock
  /** Source of numbers in [0, 1), for the nonce. @default the system's secure source */
  readonly random?: () => number
}

/**
 * Creates the token with which one participant connects to a session. Its claims are those of contract/tokens.ts.
 * @throws TypeError if an option is invalid
 * @example
 * ```ts
 * const token = await createClientToken({ apiKey, apiSecret, sessionId, role: 'publisher', data: 'name=Ada' })
 * ```
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
