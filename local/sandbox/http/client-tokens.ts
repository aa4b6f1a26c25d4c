import type { z } from 'zod'
import { clientClaims, decodeToken } from '../../../lib/platform/contract/tokens.ts'
import type { ProjectRecord } from '../state/records.ts'
import { isSignedBy, timeProblem } from './signatures.ts'

export type ClientClaims = z.output<typeof clientClaims>

/** The claims of a client token, or a message that says why it does not let anyone connect. */
export type ReadClientToken =
  | { readonly claims: ClientClaims; readonly problem?: undefined }
  | { readonly problem: string; readonly claims?: undefined }

/** Reads the token with which a call or a composer connects to a session; the message repeats nothing of the token. */
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
  if (late) return problem(late === 'exp' ? 'has expired' : 'lies in the future')
  const { iss, session_id } = claims.data
  if (iss !== project.id) return problem('belongs to another project')
  if (session_id !== sessionId) return problem('belongs to another session')
  return { claims: claims.data }
}

/** What the roles let a client do (source: the platform's guide to tokens). */
export const mayPublish = ({ role }: WithRole) => role !== 'subscriber'
export const maySubscribe = ({ role }: WithRole) => role !== 'publisheronly'
export const maySignal = ({ role }: WithRole) => role === 'publisher' || role === 'moderator'
export const mayModerate = ({ role }: WithRole) => role === 'moderator'

type WithRole = Pick<ClientClaims, 'role'>

/** Connection data and layout classes, as whoever connects with the token has them. */
export const identityOf = ({ connection_data, initial_layout_class_list }: ClientClaims) => ({
  data: connection_data,
  layoutClasses: initial_layout_class_list.split(' ').filter((name) => name !== ''),
})
