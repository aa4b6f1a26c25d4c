import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { z } from 'zod'
import { ORIGIN_HEADER, type WatchRoute } from '../../lib/api/watch-routes.ts'
import { areEqual } from '../../lib/publish/watch-links.ts'
import type { Services } from '../../lib/services.ts'
import { ApiProblem } from '../http/problem.ts'

/** Routes that a viewer opens. The others are requested by these. */
const pages: readonly WatchRoute[] = [
  'GET /watch/{archiveId}',
  'GET /watch/{archiveId}/embed',
  'GET /watch/{archiveId}/clips/{clipId}',
  'GET /watch/{archiveId}/clips/{clipId}/embed',
  'GET /watch/show/{id}',
  'GET /watch/show/{id}/embed',
]

type Reading = Pick<Services, 'secrets' | 'variable'>

const held = z.object({ secret: z.string() })

/**
 * Lets requests through that arrive through the distribution in front of watch pages, if there is one. A page that is opened
 * directly, by a link from before the distribution existed, is redirected.
 * @throws {@link ApiProblem} 403 for any other direct request
 */
export async function redirectPastFront(
  route: WatchRoute,
  { headers, rawPath, rawQueryString }: APIGatewayProxyEventV2,
  { secrets, variable }: Reading,
): Promise<APIGatewayProxyStructuredResultV2 | undefined> {
  const secretId = variable('ORIGIN_SECRET')
  if (secretId === 'none') return undefined
  const { secret } = await secrets.read(secretId, held)
  if (areEqual(headers[ORIGIN_HEADER] ?? '', secret)) return undefined
  if (!pages.includes(route))
    throw new ApiProblem('wrong-origin', 'Watch pages have another address. Open the link again.')
  const location = `${variable('WATCH_ORIGIN')}${rawPath}${rawQueryString ? `?${rawQueryString}` : ''}`
  return { statusCode: 307, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } }
}
