import { problemOfTarget } from '../../lib/operations/notifications/callback-reach.ts'
import type { Services } from '../../lib/services.ts'
import { checkShow } from '../../lib/show/document/check-show.ts'
import { publicPaths } from '../../lib/show/document/publishing.ts'
import { MAX_SHOW_BODY, parseShow, type Show } from '../../lib/show/document/show.ts'
import { findSecretProblems } from '../../lib/show/run/start/check-secrets.ts'
import { ApiProblem, type Detail } from '../http/problem.ts'
import { type ApiEvent, readJson } from '../http/request.ts'
import { refuseUnlessRole } from './controls/admission.ts'

/**
 * Returns the show document that a request has as its body.
 * @param options.isRepeated true for a repetition of a request that was in time, which is answered as it was then
 * @throws {@link ApiProblem} when it is not valid, or the caller may not post it
 */
export async function readPostedShow(
  event: ApiEvent,
  services: Services,
  { isRepeated = false }: { readonly isRepeated?: boolean } = {},
): Promise<Show> {
  const document = readJson(event, MAX_SHOW_BODY)
  const parsed = isRepeated
    ? parseShow(document)
    : checkShow(document, services.clock.now(), (show) => callbackProblems(show, services))
  if ('problems' in parsed) throw invalid(parsed.problems)
  const { show } = parsed
  const [publicPath] = publicPaths(show)
  if (publicPath !== undefined)
    refuseUnlessRole(event, 'admin', `A show with public recordings (${publicPath})`, services)
  if (!isRepeated) await refuseInvalidSecrets(show, services)
  return show
}

function callbackProblems({ callback }: Show, { variable }: Pick<Services, 'variable'>): Detail[] {
  const message = callback && problemOfTarget(callback.url, variable('CALLBACK_REACH'))
  return message ? [{ path: 'callback.url', message }] : []
}

/** @throws {@link ApiProblem} for secrets that the show could not use when it runs */
async function refuseInvalidSecrets(show: Show, services: Pick<Services, 'showSecrets'>): Promise<void> {
  const problems = await findSecretProblems(services, show)
  if (problems.length === 0) return
  const details = problems.map(({ path, message }) => ({ path, message: `cannot be used: ${message}` }))
  throw new ApiProblem('invalid-secret', 'A secret of the show cannot be used; see problems.', details)
}

export const invalid = (problems: readonly Detail[]) =>
  new ApiProblem('invalid-show', 'The show is not valid; see problems.', problems)
