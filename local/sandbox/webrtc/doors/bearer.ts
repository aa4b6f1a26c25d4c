import type { Clock } from '../../../../lib/clock.ts'
import { type ClientClaims, readClientToken } from '../../http/client-tokens.ts'
import { admitClient } from '../../participants/admission.ts'
import type { SessionRecord } from '../../state/records.ts'
import type { Store } from '../../state/store.ts'
import { DoorProblem } from '../door-problem.ts'

/** The session and the client token of a request at a door. */
export interface Bearer {
  readonly session: SessionRecord
  readonly token: string
  readonly claims: ClientClaims
}

const CHALLENGE = { 'www-authenticate': 'Bearer' }

/**
 * Reads the client token of a request, which takes the place of the control token here.
 * @throws {@link DoorProblem} 401 without a valid token, 404 without such a session
 * @throws {@link Refusal} 403 when the session's project is suspended or deleted
 */
export function readBearer(
  { store, clock }: { store: Store; clock: Clock },
  sessionId: string,
  authorization: string | undefined,
): Bearer {
  const token = tokenOf(authorization)
  const session = store.sessions.get(sessionId)
  if (!session) throw new DoorProblem(404, 'Session not found')
  const project = admitClient(store, session)
  const { claims, problem } = readClientToken(token, { project, sessionId, now: clock.now() })
  if (problem !== undefined) throw new DoorProblem(401, problem, CHALLENGE)
  return { session, token, claims }
}

/** @throws {@link DoorProblem} 401 */
export function tokenOf(authorization: string | undefined): string {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined)
    throw new DoorProblem(401, 'There is no client token: send it as "Authorization: Bearer …".', CHALLENGE)
  return token
}
