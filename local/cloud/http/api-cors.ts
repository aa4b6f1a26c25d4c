/** The CORS configuration of an HTTP API, as CloudFormation writes it. */
export interface ApiCors {
  readonly AllowOrigins: readonly string[]
  readonly AllowMethods?: readonly string[]
  readonly AllowHeaders?: readonly string[]
  readonly ExposeHeaders?: readonly string[]
  /** Seconds for which a browser remembers the answer to a preflight request. */
  readonly MaxAge?: number
}

/** Supported members. Others are refused when the stack is read. */
export const CORS_OPTIONS = ['AllowOrigins', 'AllowMethods', 'AllowHeaders', 'ExposeHeaders', 'MaxAge']

/**
 * Adds CORS to an API as API Gateway does (developer guide, "Configure CORS for HTTP APIs"): preflight requests are answered for
 * every path, without an authorizer. Every answer has the headers, and those of a function are ignored.
 */
export function withCors(
  answer: (request: Request) => Promise<Response>,
  cors: ApiCors | undefined,
): (request: Request) => Promise<Response> {
  if (!cors) return answer
  const { AllowOrigins, AllowMethods = [], AllowHeaders = [], ExposeHeaders = [], MaxAge } = cors
  return async (request) => {
    const origin = request.headers.get('origin')
    const isPreflight = request.method === 'OPTIONS' && origin && request.headers.has('access-control-request-method')
    const response = isPreflight ? new Response(null, { status: 204 }) : await answer(request)
    const headers = new Headers(response.headers)
    for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name)
    if (!headers.get('vary')?.toLowerCase().includes('origin')) headers.append('vary', 'origin')
    if (origin && AllowOrigins.includes(origin)) {
      headers.set('access-control-allow-origin', origin)
      const lists = isPreflight
        ? { 'access-control-allow-methods': AllowMethods, 'access-control-allow-headers': AllowHeaders }
        : { 'access-control-expose-headers': ExposeHeaders }
      for (const [name, values] of Object.entries(lists)) if (values.length > 0) headers.set(name, values.join(','))
      if (isPreflight && MaxAge !== undefined) headers.set('access-control-max-age', String(MaxAge))
    }
    return new Response(response.body, { status: response.status, headers })
  }
}
