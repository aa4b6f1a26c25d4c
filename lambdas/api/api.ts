import { apiRoutes, type RouteDefinition } from '../../lib/api/api.ts'
import { nothing } from '../../lib/api/queries.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { withPlatformUntil } from '../../lib/show/controls/request-deadline.ts'
import type { Environment } from '../../lib/tasks/environment.ts'
import { conditional } from '../http/conditional.ts'
import { httpHandler } from '../http/http.ts'
import { type ApiEvent, type Routes, readQuery } from '../http/request.ts'
import { type Log, toConsole, toStandardOutput } from '../middleware/log.ts'
import type { WriteLine } from '../middleware/written-logger.ts'
import { showClipRoutes } from './clips-of-shows.ts'
import { refuseUnlessAdmitted } from './controls/admission.ts'
import { controlRoutes } from './controls/controls.ts'
import { costRoutes } from './history/cost.ts'
import { deliveryRoutes } from './history/deliveries.ts'
import { eventRoutes } from './history/events.ts'
import { executionRoutes } from './history/execution.ts'
import { invitationHandlers } from './invitations.ts'
import { operationRoutes } from './operations.ts'
import { captionRoutes } from './recordings/captions.ts'
import { clipRoutes } from './recordings/clips.ts'
import { recordingRoutes } from './recordings/recordings.ts'
import { withheldRoutes } from './recordings/withheld-files.ts'
import { showRoutes } from './shows.ts'
import { streamRoutes } from './streams.ts'

type ApiRoute = keyof Routes

const routes: Routes = {
  ...showRoutes,
  ...showClipRoutes,
  ...streamRoutes,
  ...eventRoutes,
  ...executionRoutes,
  ...costRoutes,
  ...deliveryRoutes,
  ...invitationHandlers,
  ...controlRoutes,
  ...recordingRoutes,
  ...withheldRoutes,
  ...captionRoutes,
  ...clipRoutes,
  ...operationRoutes,
}

const createApi = (services: Services, write: WriteLine = toConsole) =>
  httpHandler<ApiEvent>({
    name: 'api',
    services,
    write,
    routes: Object.fromEntries((Object.keys(routes) as ApiRoute[]).map((key) => [key, routeOn(services, key)])),
  })

/** Milliseconds for platform calls in one request. API Gateway gives up after 30 s; the rest is for the records. */
const PLATFORM_MS = 20_000

function routeOn(services: Services, key: ApiRoute) {
  const { role, query = nothing }: RouteDefinition = apiRoutes[key]
  const answer = routes[key] as (...asked: [ApiEvent, Services, never]) => ReturnType<Routes[ApiRoute]>
  return async (event: ApiEvent, log: Log) => {
    refuseUnlessAdmitted(event, key, role, services)
    const limited = withPlatformUntil(services, services.clock.now() + PLATFORM_MS)
    return conditional(event, await answer(event, limited, { query: readQuery(event, query), log } as never))
  }
}

export const handler = Object.assign(createApi(createServices(process.env as Environment), toStandardOutput), {
  on: createApi,
})
