import middy from '@middy/core'
import httpRouter, { type Method } from '@middy/http-router'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { apiRoutes, UNMATCHED_ROUTE } from '../../lib/api/api.ts'
import { watchRoutes } from '../../lib/api/watch-routes.ts'
import { CALLBACK_ROUTE } from '../../lib/events/platform-events.ts'
import type { Services } from '../../lib/services.ts'
import { createLog, type Log } from '../middleware/log.ts'
import type { WriteLine } from '../middleware/written-logger.ts'
import { ApiProblem, problemOf, problemResponse } from './problem.ts'

export interface HttpOptions<Event> {
  readonly name: string
  /** By method and path, such as `GET /shows/{id}`. */
  readonly routes: Readonly<Record<string, (event: Event, log: Log) => Promise<APIGatewayProxyStructuredResultV2>>>
  readonly services: Services
  readonly write: WriteLine
}

/** Creates a function behind the HTTP API: it logs, finds the route, and answers errors with problem documents. */
export function httpHandler<Event>({ name, routes, services, write }: HttpOptions<Event>) {
  const { log, middleware } = createLog({ name, services, write })
  const router = httpRouter({
    routes: Object.entries(routes).map(([key, handler]) => {
      const [method, path] = key.split(' ') as [Method, string]
      return { method, path, handler: (event: Event) => handler(event, log) }
    }) as never,
    notFoundResponse: ({ path }: { readonly path: string }) => {
      throw unknownRoute(path)
    },
  })
  return middy<Event, unknown, Error, Context>()
    .before(middleware.before)
    .before(({ event }) => {
      const { routeKey, rawPath = '' } = event as Partial<APIGatewayProxyEventV2>
      if (routeKey === UNMATCHED_ROUTE) throw unknownRoute(rawPath) // it was not authorized for any other route
    })
    .after(middleware.after)
    .onError(async (request) => {
      const { error, context } = request
      const problem = problemOf(error, context.awsRequestId)
      if (problem.status >= 500) middleware.onError(request)
      else log.info('refused', { status: problem.status }) // not the detail, which may quote the request
      request.response = problemResponse(problem)
    })
    .handler(router as never)
}

/** Every route of the API, whichever function serves it. */
const allRoutes = [...Object.keys(apiRoutes), ...Object.keys(watchRoutes), CALLBACK_ROUTE].map((key) => {
  const [method = '', path = ''] = key.split(' ')
  return { method, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`) }
})

function unknownRoute(path: string): ApiProblem {
  const methods = allRoutes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (methods.length === 0)
    return new ApiProblem('unknown-route', 'No route has this path. See docs/showrunner-api.json.')
  const allow = methods.join(', ')
  return new ApiProblem('method-not-allowed', `The path has no route with this method. Allowed: ${allow}.`, undefined, {
    allow,
  })
}
