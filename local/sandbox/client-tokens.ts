import { errors, jwtVerify } from 'jose'
import type { z } from 'zod'
import { clientClaims } from '../../lib/platform/contract/tokens.ts'
import { TOLERATED_SKEW } from './authentication.ts'
import type { ProjectRecord } from './records.ts'

export type ClientClaims = z.output<typeof clientClaims>

/** What a client token says, or in words why it does not let anyone connect. */
export type ReadClientToken =
  | { readonly claims: ClientClaims; readonly problem?: undefined }
  | { readonly problem: string; readonly claims?: undefined }

/** Reads the token with which a call or a composer connects to a session; the words repeat nothing of the token. */
export async function readClientToken(
  token: string,
  { project, sessionId, now }: { project: ProjectRecord; sessionId: string; now: number },
): Promise<ReadClientToken> {
  const problem = (what: string): ReadClientToken => ({ problem: `The client token ${what}.` })
  const verified = await verify(token, project.secret, now)
  if (typeof verified === 'string') return problem(verified)
  const claims = clientClaims.safeParse(verified)
  if (!claims.success) return problem(`has no valid ${claims.error.issues[0]?.path.join('.')}`)
  const { iss, session_id, iat } = claims.data
  if (iss !== project.id) return problem('belongs to another project')
  if (session_id !== sessionId) return problem('belongs to another session')
  if (iat > now / 1000 + TOLERATED_SKEW) return problem('lies in the future')
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

async function verify(token: string, secret: string, now: number): Promise<object | string> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      clockTolerance: TOLERATED_SKEW,
      currentDate: new Date(now),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'has expired'
    if (error instanceof errors.JWSSignatureVerificationFailed) return 'is not signed with the project’s secret'
    return 'is not a valid JSON Web Token of HS256'
  }
}
