import type { z } from 'zod'
import { clientClaims, decodeToken } from '../../../lib/platform/contract/tokens.ts'
import type { ProjectRecord } from '../state/records.ts'
import { isSignedBy, timeProblem } from './signatures.ts'

export type ClientClaims = z.output<typeof clientClaims>

/** Claims of a client token, or the problem for which it is refused. */
export type ReadClientToken =
  | { readonly claims: ClientClaims; readonly problem?: undefined }
  | { readonly problem: string; readonly claims?: undefined }

/** Reads the token with which a client, a call or a composer connects to a session. The problem quotes nothing of the token. */
export function readClientToken(
  token: string,
  { project, sessionId, now }: { project: ProjectRecord; sessionId: string; now: number },
): ReadClientToken {
  const problem = (what: string): ReadClientToken => ({ problem: `The client token ${what}.` })
  const decoded = decodeToken(token)
  if (!decoded) return problem('is neither a JSON Web Token nor a T1 token')
  if (decoded.form === 'jwt' && decoded.header.alg !== 'HS256') return problem('is not signed by HS256')
  if (!isSignedBy(project.secret, decoded)) return problem('is not signed with the project’s secret')
  const claims = clientClaims.safeParse(decoded.claims)
  if (!claims.success) return problem(`has no valid ${claims.error.issues[0]?.path.join('.')}`)
  const late = timeProblem(claims.data, now)
  if (late) return problem(late === 'exp' ? 'has expired' : 'is not valid yet')
  const { iss, session_id } = claims.data
  if (iss !== project.id) return problem('belongs to another project')
  if (session_id !== sessionId) return problem('belongs to another session')
  return { claims: claims.data }
}

// Permissions of the roles; source: the platform's guide to tokens.
export const mayPublish = ({ role }: WithRole) => role !== 'subscriber'
export const maySubscribe = ({ role }: WithRole) => role !== 'publisheronly'
export const maySignal = ({ role }: WithRole) => role === 'publisher' || role === 'moderator'
export const mayModerate = ({ role }: WithRole) => role === 'moderator'

type WithRole = Pick<ClientClaims, 'role'>

/** Returns the connection data and layout classes that a token gives to its client. */
export const participantIdentityOf = ({ connection_data, initial_layout_class_list }: ClientClaims) => ({
  data: connection_data,
  layoutClasses: initial_layout_class_list.split(' ').filter((name) => name !== ''),
})
