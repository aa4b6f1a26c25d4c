import type { JWTPayload } from 'jose'
import { ACCOUNT } from '../intrinsics.ts'
import { toLogTime } from './access-log.ts'

export interface EventParts {
  readonly routeKey: string
  /** The decoded path. Functions see decoded values only. */
  readonly path: string
  readonly pathParameters: Readonly<Record<string, string>>
  /** The authorized caller, with the granted scopes of the route. */
  readonly caller: { readonly claims: JWTPayload; readonly scopes: readonly string[] | null } | undefined
  readonly body: Buffer
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly id: string
}

/** Returns the event of a request (API Gateway developer guide, "payload format version 2.0"). */
export function toEvent(request: Request, parts: EventParts) {
  const { routeKey, path, pathParameters, caller, body, time, id } = parts
  const { search, searchParams, host, hostname } = new URL(request.url)
  const { cookie, ...headers } = Object.fromEntries(request.headers)
  const isText = TEXT.test(headers['content-type'] ?? '')
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: search.slice(1),
    ...(cookie && { cookies: cookie.split(/; */) }),
    headers: { ...headers, 'x-forwarded-proto': 'http' },
    ...(search.length > 1 && { queryStringParameters: joinRepeated(searchParams) }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'laptop',
      ...(caller && { authorizer: { jwt: { claims: toStrings(caller.claims), scopes: caller.scopes } } }),
      domainName: host,
      domainPrefix: hostname.split('.')[0] ?? '',
      http: {
        method: request.method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: id,
      routeKey,
      stage: '$default',
      time: toLogTime(time),
      timeEpoch: time,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  }
}

/** Content types whose bodies are text. All others, including forms, are base64. */
const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml|javascript)\b)/i

function joinRepeated(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')]))
}

/** Converts claims to text. Lists are written as `[a b]`, as API Gateway does. */
const toStrings = (claims: JWTPayload) =>
  Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, toText(value)]))

function toText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toText).join(' ')}]`
  if (value === null || typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(([name, item]) => `${name}:${toText(item)}`)
  return `map[${entries.join(' ')}]`
}

interface FunctionResponse {
  statusCode: number
  headers?: Readonly<Record<string, string | number | boolean>>
  cookies?: readonly string[]
  body?: string
  isBase64Encoded?: boolean
}

/**
 * Returns the answer of a function’s result. A result without `statusCode` is a JSON body.
 * @throws RangeError, TypeError when it is not a valid answer
 */
export function toResponse(result: unknown): Response {
  if (!isFunctionResponse(result)) return Response.json(result)
  const { statusCode: status, headers: given = {}, cookies = [], body, isBase64Encoded } = result
  // A server in this process may have replaced the global Response by one that accepts any status.
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError(`There is no status ${status}.`)
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8' })
  for (const [name, value] of Object.entries(given)) headers.set(name, String(value))
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  const content = body && isBase64Encoded ? Buffer.from(body, 'base64') : body
  return new Response(content || null, { status, headers })
}

const isFunctionResponse = (result: unknown): result is FunctionResponse =>
  result !== null && typeof result === 'object' && 'statusCode' in result
