import type { JWTPayload } from 'jose'
import { type Clock, startTimeout } from '../../../lib/clock.ts'
import { collectBody } from '../endpoint/request-body.ts'
import type { AccessFacts } from './access-log.ts'
import { type ApiCors, withCors } from './api-cors.ts'
import { toEvent, toResponse } from './http-event.ts'
import { createJwtAuthorizer, type JwtConfiguration, scopesOf } from './jwt-authorizer.ts'
import { createThrottle, type Throttle } from './throttle.ts'

export interface HttpRoute {
  /** Method and path, for example `GET /shows/{id}`. */
  readonly key: string
  readonly authorizer?: JwtConfiguration
  /** Scopes of which a token needs one. Without any, every token is accepted. */
  readonly scopes?: readonly string[]
  readonly throttle?: Throttle
  /** @param requestId request id of the function */
  readonly invoke: (event: unknown, requestId: string) => Promise<unknown>
}

export interface HttpApiOptions {
  readonly routes: readonly HttpRoute[]
  /** @default no other origin may call it */
  readonly cors?: ApiCors | undefined
  readonly clock: Clock
  readonly newId: () => string
  /** Fetches the keys of token issuers. */
  readonly fetch: typeof globalThis.fetch
  /** Called with every answered request. */
  readonly onAccess?: ((facts: AccessFacts) => void) | undefined
}

/** API Gateway quotas for HTTP APIs, "payload size" and "maximum integration timeout". */
const MAX_BODY_BYTES = 10 * 2 ** 20
const MAX_MS = 30_000

/**
 * Creates API Gateway’s HTTP API: routes, JWT authorizers, and Lambda proxies with payload format 2.0.
 * @throws Error for an unsupported route
 */
export function createHttpApi({
  routes,
  cors,
  clock,
  newId,
  fetch,
  onAccess = () => {},
}: HttpApiOptions): (request: Request) => Promise<Response> {
  // Of all matching routes, the one with the fewest parameters is the most specific, and the default is the last.
  const table = routes
    .map((route) => readRoute(route, clock.now))
    .sort((one, other) => Number(!one.method) - Number(!other.method) || one.names.length - other.names.length)
  const authorize = createJwtAuthorizer({ now: clock.now, fetch })

  const answer = async (request: Request, seen: Seen): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const path = decode(pathname)
    if (path === undefined) return refuse(400, 'Bad Request')
    const found = find(table, request.method, pathname)
    if (!found) return refuse(404, 'Not Found')
    const { key: routeKey, authorizer, scopes = [], mayPass, invoke, pathParameters } = found
    seen.routeKey = routeKey
    // AWS does not document whether it counts before it authorizes. This order is the worse one for callers.
    if (!mayPass()) return refuse(429, 'Too Many Requests')

    let claims: JWTPayload | undefined
    if (authorizer) {
      claims = await authorize(authorizer, request.headers.get('authorization') ?? '')
      if (!claims) {
        seen.authorizerError = 'Unauthorized'
        return refuse(401, 'Unauthorized', { 'www-authenticate': 'Bearer' })
      }
      seen.claims = claims
    }
    const granted = claims ? scopes.filter((scope) => scopesOf(claims).includes(scope)) : []
    if (claims && scopes.length > 0 && granted.length === 0) {
      seen.authorizerError = 'insufficient_scope'
      const needed = `Bearer scope="${scopes.join(' ')}" error="insufficient_scope"`
      return refuse(403, 'Forbidden', { 'www-authenticate': needed })
    }
    const body = await collectBody(request, MAX_BODY_BYTES)
    if (!body) return refuse(413, 'Request Entity Too Large')

    const caller = claims && { claims, scopes: granted.length > 0 ? granted : null }
    const id = newId()
    const event = toEvent(request, { routeKey, path, pathParameters, caller, body, time: clock.now(), id })
    const functionRequestId = newId()
    Object.assign(seen, { requestId: id, functionRequestId })
    const answer = invoke(event, functionRequestId)
      .then(toResponse)
      .catch(() => refuse(500, 'Internal Server Error'))
    return within(MAX_MS, clock, answer, () => refuse(503, 'Service Unavailable'))
  }

  const answerWithCors = (seen: Seen) => withCors((request) => answer(request, seen), cors)

  return async (request) => {
    const time = clock.now()
    const seen: Seen = {}
    const response = await answerWithCors(seen)(request)
    const { pathname: path } = new URL(request.url)
    const { method } = request
    const facts = { time, path, method, status: response.status, latency: clock.now() - time }
    onAccess({ requestId: seen.requestId ?? newId(), ...facts, ...seen })
    return response
  }
}

/** Facts that are collected while a request is handled. */
type Seen = {
  -readonly [Key in 'requestId' | 'routeKey' | 'claims' | 'authorizerError' | 'functionRequestId']?: AccessFacts[Key]
}

const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ message }, { status, headers })

interface ReadRoute extends HttpRoute {
  /** Undefined for every method. */
  readonly method: string | undefined
  readonly pattern: RegExp
  /** Names of the path’s parameters. */
  readonly names: readonly string[]
  readonly mayPass: () => boolean
}

/** The route of requests that match no other, which has the lowest priority. */
const DEFAULT_ROUTE = '$default'

function readRoute(route: HttpRoute, now: () => number): ReadRoute {
  if (route.key === DEFAULT_ROUTE) {
    const mayPass = route.throttle ? createThrottle(route.throttle, now) : () => true
    return { ...route, method: undefined, pattern: /^/, names: [], mayPass }
  }
  const [, method, path] = /^([A-Z]+) (\/(?:[\w.~-]+|\{\w+\}|\/)*)$/.exec(route.key) ?? []
  if (!method || !path || method === 'ANY') throw new Error(`The route ${route.key} is not supported locally.`)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`)
  const mayPass = route.throttle ? createThrottle(route.throttle, now) : () => true
  return { ...route, method, pattern, names, mayPass }
}

function find(table: readonly ReadRoute[], method: string, pathname: string) {
  for (const route of table) {
    const values = (route.method ?? method) === method ? route.pattern.exec(pathname)?.slice(1) : undefined
    if (!values) continue
    const pairs = route.names.map((name, index) => [name, decode(values[index] ?? '') ?? ''])
    return { ...route, pathParameters: Object.fromEntries(pairs) as Record<string, string> }
  }
  return undefined
}

/** Decodes a path; undefined if it is not percent-encoded UTF-8. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Returns the answer, or a timeout after `ms`. */
async function within<T>(ms: number, clock: Clock, answer: Promise<T>, otherwise: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = startTimeout(clock, ms, () => resolve(otherwise()))
  const first = await Promise.race([answer, promise])
  timer.cancel()
  return first
}
