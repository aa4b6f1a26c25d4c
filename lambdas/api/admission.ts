import type { Services } from '../../lib/services/services.ts'
import type { RouteDefinition, RouteKey } from '../../lib/workflow/api.ts'
import { mayActAs, type Role, wordsOf } from '../../lib/workflow/roles.ts'
import { ApiProblem } from './problem.ts'
import type { ApiEvent } from './request.ts'

/** @throws ApiProblem 403 when the caller's token names no role that may do this */
export function refuseUnlessAdmitted(
  { requestContext }: ApiEvent,
  key: RouteKey,
  needed: RouteDefinition['role'],
  { variable }: Pick<Services, 'variable'>,
): void {
  if (needed === 'anybody') return
  const claim = variable('ROLE_CLAIM')
  const called: Record<Role, string> = { viewer: variable('VIEWER_ROLE'), operator: variable('OPERATOR_ROLE') }
  const words = wordsOf(requestContext.authorizer?.jwt?.claims[claim])
  const given = (Object.keys(called) as Role[]).filter((role) => words.includes(called[role]))
  if (mayActAs(needed, given)) return
  throw new ApiProblem(
    403,
    given.length === 0
      ? `Your token gives you no role here: its claim ${claim} must hold ${called.viewer} or ${called.operator}.`
      : `${key} is for operators, and your token makes you a viewer: its claim ${claim} must hold ${called.operator}.`,
  )
}
