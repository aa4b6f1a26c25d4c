import { apiRoutes, isPublicRoute, type RouteKey } from '../../api/api.ts'
import { watchRoutes } from '../../api/watch-routes.ts'
import { CALLBACK_ROUTE } from '../../events/platform-events.ts'
import type { Settings } from '../deploy/settings.ts'

/** Classes of routes that share a limit, because they have the same callers and purpose. */
export type RouteClass = keyof Settings['limits']

/** Returns the class of a route. */
export function classOf(key: string): RouteClass {
  if (key in watchRoutes) return 'watch'
  if (key === CALLBACK_ROUTE) return 'callbacks'
  if (!(key in apiRoutes) || isPublicRoute(key)) return 'public'
  return apiRoutes[key as RouteKey].role === 'viewer' ? 'read' : 'control'
}

/** Lists the routes of a class that the API's table names. */
export const routesOf = (wanted: RouteClass): string[] =>
  Object.keys(apiRoutes).filter((key) => classOf(key) === wanted)
