/** A CORS rule of a bucket, as CloudFormation writes it. */
export interface CorsRule {
  /** The supported members. A rule with others is refused when the stack is read. */
  readonly AllowedMethods: readonly string[]
  readonly AllowedOrigins: readonly string[]
  readonly AllowedHeaders?: readonly string[]
  readonly ExposedHeaders?: readonly string[]
  /** Seconds for which a browser remembers the answer. */
  readonly MaxAge?: number
}

/**
 * Answers a preflight request (Amazon S3 user guide, "Using cross-origin resource sharing"); undefined for any other.
 */
export function answerPreflight(request: Request, rules: readonly CorsRule[]): Response | undefined {
  const method = request.headers.get('access-control-request-method')
  if (request.method !== 'OPTIONS' || !method) return undefined
  const rule = ruleFor(request, method, rules)
  if (!rule) return new Response('CORSResponse: This CORS request is not allowed.', { status: 403 })
  return new Response(null, { status: 200, headers: headersOf(request, rule) })
}

/** Returns the headers that let a page of another origin read the answer; none if no rule allows it. */
export function corsHeaders(request: Request, rules: readonly CorsRule[]): Record<string, string> {
  const rule = request.headers.has('origin') ? ruleFor(request, request.method, rules) : undefined
  return rule ? headersOf(request, rule) : {}
}

function ruleFor({ headers }: Request, method: string, rules: readonly CorsRule[]): CorsRule | undefined {
  const origin = headers.get('origin') ?? ''
  const asked = (headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  return rules.find(
    ({ AllowedMethods, AllowedOrigins, AllowedHeaders = [] }) =>
      AllowedMethods.includes(method) &&
      matches(AllowedOrigins, origin) &&
      asked.filter(Boolean).every((name) => matches(AllowedHeaders, name)),
  )
}

function headersOf({ headers }: Request, rule: CorsRule): Record<string, string> {
  const { AllowedMethods, AllowedOrigins, ExposedHeaders = [], MaxAge } = rule
  const asked = headers.get('access-control-request-headers')
  return {
    'access-control-allow-origin': AllowedOrigins.includes('*') ? '*' : (headers.get('origin') ?? ''),
    'access-control-allow-methods': AllowedMethods.join(', '),
    ...(asked && { 'access-control-allow-headers': asked }),
    ...(ExposedHeaders.length > 0 && { 'access-control-expose-headers': ExposedHeaders.join(', ') }),
    ...(MaxAge !== undefined && { 'access-control-max-age': String(MaxAge) }),
    vary: 'origin, access-control-request-headers, access-control-request-method',
  }
}

/** Matches a text with allowed ones, each of which may have one `*` as a wildcard. */
const matches = (allowed: readonly string[], text: string) =>
  allowed.some((one) => {
    const [start = '', end] = one.toLowerCase().split('*')
    if (end === undefined) return start === text.toLowerCase()
    const lower = text.toLowerCase()
    return lower.length >= start.length + end.length && lower.startsWith(start) && lower.endsWith(end)
  })
