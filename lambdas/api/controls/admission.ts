import type { RouteDefinition, RouteKey } from '../../../lib/api/api.ts'
import { highestOf, mayActAs, type Role, rolesFrom, wordsOf } from '../../../lib/api/roles.ts'
import type { Services } from '../../../lib/services.ts'
import type { Variable } from '../../../lib/tasks/environment.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, callerOf } from '../../http/request.ts'

type Reach = Pick<Services, 'variable'>

const variables: Record<Role, Variable> = { viewer: 'VIEWER_ROLE', operator: 'OPERATOR_ROLE', admin: 'ADMIN_ROLE' }

/** @throws {@link ApiProblem} 403 when the token is not an access token, or does not grant the role that the route requires */
export function refuseUnlessAdmitted(
  event: ApiEvent,
  key: RouteKey,
  needed: RouteDefinition['role'],
  services: Reach,
): void {
  if (needed === 'anybody') return
  refuseOtherTokens(event)
  refuseUnlessRole(event, needed, key, services)
}

/** @param what names the request in the problem. @throws {@link ApiProblem} 403 when the role is not granted */
export function refuseUnlessRole(event: ApiEvent, needed: Role, what: string, { variable }: Reach): void {
  const claim = variable('ROLE_CLAIM')
  const words = wordsOf(claimsOf(event)[claim])
  const wordOf = (role: Role) => variable(variables[role])
  const given = rolesFrom('viewer').filter((role) => words.includes(wordOf(role)))
  if (mayActAs(needed, given)) return
  const oneOf = (roles: readonly Role[]) =>
    new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(new Set(roles.map(wordOf)))
  const highest = highestOf(given)
  throw new ApiProblem(
    'insufficient-role',
    highest === undefined
      ? `The token grants no role. Its claim ${claim} must contain ${oneOf(rolesFrom('viewer'))}.`
      : `${what} requires the role ${needed}, and the token grants ${highest}. Its claim ${claim} must contain ${oneOf(rolesFrom(needed))}.`,
  )
}

/** API Gateway's authorizer accepts ID tokens too. Cognito marks them with `token_use`, Keycloak with `typ`. */
function refuseOtherTokens(event: ApiEvent): void {
  const { token_use: use, typ } = claimsOf(event)
  if ((use !== undefined && use !== 'access') || /^id$/i.test(String(typ)))
    throw new ApiProblem('wrong-token', 'The token is an ID token. Send the access token.')
  if (callerOf(event) === undefined)
    throw new ApiProblem('wrong-token', 'The token has no subject. Its claim sub must identify the caller.')
}

const claimsOf = ({ requestContext }: ApiEvent): Readonly<Record<string, unknown>> =>
  requestContext.authorizer?.jwt?.claims ?? {}
