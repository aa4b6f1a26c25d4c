import middy from '@middy/core'
import httpRouter, { type Method } from '@middy/http-router'
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { createServices, type Services } from '../lib/services/services.ts'
import { apiRoutes, type RouteKey } from '../lib/workflow/api.ts'
import type { Environment } from '../lib/workflow/environment.ts'
import { getPublicRecording } from './api/get-public-recording.ts'
import { getRecordings } from './api/get-recordings.ts'
import { getShow } from './api/get-show.ts'
import { getShows } from './api/get-shows.ts'
import { postShow } from './api/post-show.ts'
import { ApiProblem, problemResponse } from './api/problem.ts'
import type { ApiEvent } from './api/request.ts'

type Route = (event: ApiEvent, services: Services) => Promise<APIGatewayProxyStructuredResultV2>

const routes: Record<RouteKey, Route> = {
  'POST /shows': postShow,
  'GET /shows': getShows,
  'GET /shows/{id}': getShow,
  'GET /recordings': getRecordings,
  'GET /public/recordings/{archiveId}': getPublicRecording,
}

/** The HTTP API on these services: one function, one route a file. */
function createApi(services: Services) {
  const router = httpRouter({
    routes: (Object.keys(apiRoutes) as RouteKey[]).map((key) => {
      const [method, path] = key.split(' ') as [Method, string]
      return { method, path, handler: (event: never) => routes[key](event, services) }
    }),
    notFoundResponse: () => {
      throw new ApiProblem(404, 'There is no such route; see the documentation of the API.')
    },
  })
  return middy<ApiEvent, unknown, Error, Context>()
    .onError(async (request) => {
      const { error, context } = request
      if (!(error instanceof ApiProblem)) console.error(error)
      request.response = problemResponse(error, context.awsRequestId)
    })
    .handler(router as never)
}

export const handler = Object.assign(createApi(createServices(process.env as Environment)), { on: createApi })
