import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose'
import { ACCOUNT } from './intrinsics.ts'

/** A route and what answers it. */
export interface Route {
  /** Such as `GET /shows/{id}`. */
  readonly key: string
  readonly authorizer?: { readonly issuer: string; readonly audience: readonly string[] }
  readonly invoke: (event: unknown) => Promise<unknown>
}

export interface HttpApiOptions {
  readonly routes: readonly Route[]
  readonly now: () => number
  readonly newId: () => string
  /** How the issuer's keys are fetched. */
  readonly fetch: typeof globalThis.fetch
}

interface FunctionResponse {
  statusCode?: number
  headers?: Record<string, string>
  body?: string
  isBase64Encoded?: boolean
}

/** The most bytes of a request's body (API Gateway quotas). */
const MOST_BODY_BYTES = 10 * 2 ** 20

/** API Gateway's HTTP API: routes, JWT authorizers, and Lambda proxies with payload format 2.0. */
export function createHttpApi({ routes, now, newId, fetch }: HttpApiOptions): (request: Request) => Promise<Response> {
  const table = routes.map((route) => ({ ...route, ...parseKey(route.key) }))
  const verifiers = new Map<string, Promise<Verify>>()
  const verifierOf = (issuer: string) => {
    const known = verifiers.get(issuer) ?? createVerifier(issuer, fetch)
    verifiers.set(issuer, known)
    known.catch(() => verifiers.delete(issuer)) // the issuer may be up by the next request
    return known
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    const route = table.find(({ method, pattern }) => method === request.method && pattern.test(pathname))
    if (!route) return Response.json({ message: 'Not Found' }, { status: 404 })

    let claims: JWTPayload | undefined
    if (route.authorizer) {
      const { issuer, audience } = route.authorizer
      const token = /^bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
      claims = await verifierOf(issuer)
        .then((verify) => verify(token, [...audience], now()))
        .catch(() => undefined)
      if (!claims) return Response.json({ message: 'Unauthorized' }, { status: 401 })
    }
    const body = Buffer.from(await request.arrayBuffer())
    if (body.length > MOST_BODY_BYTES) return Response.json({ message: 'Request Too Long' }, { status: 413 })

    const pathParameters = route.pattern.exec(pathname)?.groups ?? {}
    const event = toEvent(request, { routeKey: route.key, pathParameters, claims, body, time: now(), id: newId() })
    try {
      return toResponse((await route.invoke(event)) as FunctionResponse)
    } catch {
      return Response.json({ message: 'Internal Server Error' }, { status: 500 })
    }
  }
}

function parseKey(key: string) {
  const [method = '', path = ''] = key.split(' ')
  return { method, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }
}

type Verify = (token: string, audience: string[], now: number) => Promise<JWTPayload>

async function createVerifier(issuer: string, fetch: typeof globalThis.fetch): Promise<Verify> {
  const discovery = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const { jwks_uri: address } = (await discovery.json()) as { jwks_uri: string }
  const keys = createRemoteJWKSet(new URL(address), { [customFetch]: fetch as never })
  return async (token, audience, now) => {
    const options = { issuer, audience, algorithms: ['RS256'], currentDate: new Date(now) }
    return (await jwtVerify(token, keys, options)).payload
  }
}

interface EventParts {
  routeKey: string
  pathParameters: Record<string, string>
  claims: JWTPayload | undefined
  body: Buffer
  time: number
  id: string
}

function toEvent(request: Request, { routeKey, pathParameters, claims, body, time, id }: EventParts) {
  const { pathname, search, searchParams, host } = new URL(request.url)
  const decoded = Object.entries(pathParameters).map(([name, value]) => [name, decodeURIComponent(value)])
  return {
    version: '2.0',
    routeKey,
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: Object.fromEntries(request.headers),
    ...(search && { queryStringParameters: Object.fromEntries(searchParams) }),
    ...(decoded.length > 0 && { pathParameters: Object.fromEntries(decoded) }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'laptop',
      domainName: host,
      stage: '$default',
      requestId: id,
      routeKey,
      time: new Date(time).toUTCString(),
      timeEpoch: time,
      http: {
        method: request.method,
        path: pathname,
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: request.headers.get('user-agent') ?? '',
      },
      ...(claims && { authorizer: { jwt: { claims: asStrings(claims), scopes: null } } }),
    },
    ...(body.length > 0 && { body: body.toString('utf8') }),
    isBase64Encoded: false,
  }
}

/** API Gateway hands claims on as strings; lists as `[a b]`. */
const asStrings = (claims: JWTPayload) =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      name,
      Array.isArray(value) ? `[${value.join(' ')}]` : String(value),
    ]),
  )

function toResponse({ statusCode = 200, headers, body, isBase64Encoded }: FunctionResponse): Response {
  const content = body && isBase64Encoded ? Buffer.from(body, 'base64') : body
  return new Response(content ?? null, {
    status: statusCode,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
