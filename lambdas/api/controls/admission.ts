import type { RouteDefinition, RouteKey } from '../../../lib/api/api.ts'
import { highestOf, mayActAs, type Role, rolesFrom, wordsOf } from '../../../lib/api/roles.ts'
import type { Services } from '../../../lib/services.ts'
import type { Variable } from '../../../lib/tasks/environment.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, callerOf } from '../../http/request.ts'

type Reach = Pick<Services, 'variable'>

const variables: Record<Role, Variable> = { viewer: 'VIEWER_ROLE', operator: 'OPERATOR_ROLE', admin: 'ADMIN_ROLE' }
const called: Record<Role, string> = { viewer: 'a viewer', operator: 'an operator', admin: 'an admin' }

/** @throws ApiProblem 403 when the caller's token is not an access token, or gives no role that may do this */
export function refuseUnlessAdmitted(
  event: ApiEvent,
  key: RouteKey,
  needed: RouteDefinition['role'],
  services: Reach,
): void {
  if (needed === 'anybody') return
  refuseOtherTokens(event)
  refuseUnlessRole(event, needed, `${key} is`, services)
}

/**
 * @param what is for callers of that role: the beginning of a sentence, with its verb
 * @throws ApiProblem 403 when the caller's token gives no role that may do this
 */
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
    403,
    highest === undefined
      ? `Your token gives you no role here: its claim ${claim} must hold ${oneOf(rolesFrom('viewer'))}.`
      : `${what} for ${needed}s, and your token makes you ${called[highest]}: its claim ${claim} must hold ${oneOf(rolesFrom(needed))}.`,
  )
}

/**
 * An authorizer of API Gateway lets every token of the issuer in that is for the audience. Cognito marks ID tokens by
 * `token_use`, Keycloak by `typ`.
 */
function refuseOtherTokens(event: ApiEvent): void {
  const { token_use: use, typ } = claimsOf(event)
  if ((use !== undefined && use !== 'access') || /^id$/i.test(String(typ)))
    throw new ApiProblem(403, 'Your token is an ID token, which tells who you are: send the access token.')
  if (callerOf(event) === undefined)
    throw new ApiProblem(403, 'Your token names no subject: its claim sub must say who calls.')
}

const claimsOf = ({ requestContext }: ApiEvent): Readonly<Record<string, unknown>> =>
  requestContext.authorizer?.jwt?.claims ?? {}
