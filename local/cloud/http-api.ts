import type { JWTPayload } from 'jose'
import type { Clock } from '../../lib/clock.ts'
import { toEvent, toResponse } from './http-event.ts'
import { createJwtAuthorizer, type JwtConfiguration } from './jwt-authorizer.ts'
import { readBody } from './request-body.ts'

/** A route and what answers it. */
export interface Route {
  /** Such as `GET /shows/{id}`. */
  readonly key: string
  readonly authorizer?: JwtConfiguration
  readonly invoke: (event: unknown) => Promise<unknown>
}

export interface HttpApiOptions {
  readonly routes: readonly Route[]
  readonly clock: Clock
  readonly newId: () => string
  /** How an issuer's keys are fetched. */
  readonly fetch: typeof globalThis.fetch
}

/** API Gateway quotas for HTTP APIs, "payload size" and "maximum integration timeout". */
const MOST_BODY_BYTES = 10 * 2 ** 20
const LONGEST_MS = 30_000

/**
 * API Gateway's HTTP API: routes, JWT authorizers, and Lambda proxies with payload format 2.0.
 * @throws Error for a route of a form that is not built
 */
export function createHttpApi({
  routes,
  clock,
  newId,
  fetch,
}: HttpApiOptions): (request: Request) => Promise<Response> {
  // Of routes that match, the one with the fewest parameters is the most specific.
  const table = routes.map(readRoute).sort((one, other) => one.names.length - other.names.length)
  const authorize = createJwtAuthorizer({ now: clock.now, fetch })

  return async (request) => {
    const { pathname } = new URL(request.url)
    const path = decode(pathname)
    if (path === undefined) return refuse(400, 'Bad Request')
    const found = find(table, request.method, pathname)
    if (!found) return refuse(404, 'Not Found')
    const { key: routeKey, authorizer, invoke, pathParameters } = found

    let claims: JWTPayload | undefined
    if (authorizer) {
      claims = await authorize(authorizer, request.headers.get('authorization') ?? '')
      if (!claims) return refuse(401, 'Unauthorized', { 'www-authenticate': 'Bearer' })
    }
    const body = await readBody(request, MOST_BODY_BYTES)
    if (!body) return refuse(413, 'Request Entity Too Large')

    const event = toEvent(request, { routeKey, path, pathParameters, claims, body, time: clock.now(), id: newId() })
    const answer = invoke(event)
      .then(toResponse)
      .catch(() => refuse(500, 'Internal Server Error'))
    return within(LONGEST_MS, clock, answer, () => refuse(503, 'Service Unavailable'))
  }
}

const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ message }, { status, headers })

interface ReadRoute extends Route {
  readonly method: string
  readonly pattern: RegExp
  /** Of the path's parameters. */
  readonly names: readonly string[]
}

function readRoute(route: Route): ReadRoute {
  const [, method, path] = /^([A-Z]+) (\/(?:[\w.~-]+|\{\w+\}|\/)*)$/.exec(route.key) ?? []
  if (!method || !path || method === 'ANY') throw new Error(`The route ${route.key} is not known on a laptop.`)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`)
  return { ...route, method, pattern, names }
}

function find(table: readonly ReadRoute[], method: string, pathname: string) {
  for (const route of table) {
    const values = route.method === method ? route.pattern.exec(pathname)?.slice(1) : undefined
    if (!values) continue
    const pairs = route.names.map((name, index) => [name, decode(values[index] ?? '') ?? ''])
    return { ...route, pathParameters: Object.fromEntries(pairs) as Record<string, string> }
  }
  return undefined
}

/** Undefined for what is not percent-encoded UTF-8. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** The answer, or another when it takes longer. */
async function within<T>(ms: number, clock: Clock, answer: Promise<T>, otherwise: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = clock.at(clock.now() + ms, () => resolve(otherwise()))
  const first = await Promise.race([answer, promise])
  timer.cancel()
  return first
}
