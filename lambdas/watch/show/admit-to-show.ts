import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { credentialsOf, showSubject, type WatchCredentials } from '../../../lib/api/watch-routes.ts'
import type { Services } from '../../../lib/services.ts'
import { idPattern } from '../../../lib/show/document/fields/names.ts'
import type { ShowRequest } from '../../../lib/show/state/request.ts'
import { ApiProblem } from '../../http/problem.ts'
import { readLink, requireGrant } from '../visit.ts'

export interface ShowVisit {
  readonly request: ShowRequest
  /** Undefined for a public show. */
  readonly credentials: WatchCredentials | undefined
  /** End of the link, in seconds since 1970; undefined for a public show. */
  readonly expires: number | undefined
}

/** Checks a request's link to a show. Who may watch its recordings may watch it live. @throws {@link ApiProblem} as `admit` does */
export async function admitToShow(
  event: APIGatewayProxyEventV2,
  services: Pick<Services, 'records' | 'watchLinks'>,
): Promise<ShowVisit> {
  const showId = event.pathParameters?.id ?? ''
  const link = await readLink(event, showSubject(showId), services)
  const request = idPattern.test(showId) ? await services.records.readRequest(showId) : undefined
  if (request?.show.publish.access === 'public') return { request, credentials: undefined, expires: undefined }
  const grant = requireGrant(link)
  if (!request) throw new ApiProblem('unknown-show', 'The show is no longer there.')
  return { request, credentials: credentialsOf(grant), expires: grant.expires }
}
