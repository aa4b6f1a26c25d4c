import type { ShowrunnerOptions } from '../../../lib/client/options.ts'
import { createShowrunner, type Showrunner } from '../../../lib/client/showrunner.ts'
import { call } from '../../lambdas/api/call.ts'
import type { World } from '../../support/world.ts'

/** The access token that the API of a world accepts. */
export const TOKEN = 'the access token'

/** Sends a request to the functions of a world, as API Gateway does: it checks the token, and answers what they answer. */
export async function sendTo(world: World, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const isPublic = pathname.startsWith('/public/') || pathname.startsWith('/.well-known/')
  if ((request.headers.get('authorization') === `Bearer ${TOKEN}`) === isPublic)
    return Response.json({ message: 'Unauthorized' }, { status: 401 })
  const key = request.headers.get('idempotency-key')
  const text = await request.text()
  const query = Object.fromEntries(searchParams)
  const version = request.headers.get('if-none-match')
  const { status, headers, body } = await call(world, `${request.method} ${pathname}`, {
    ...(version !== null && { headers: { 'if-none-match': version } }),
    ...(key !== null && { key }),
    ...(text && { body: text }),
    ...(searchParams.size > 0 && { query }),
  })
  return status === 304 ? new Response(null, { status, headers }) : Response.json(body, { status, headers })
}

/** Intercepts a request: answers it, throws as a lost connection does, or passes it on. */
type Interceptor = (request: Request, pass: () => Promise<Response>) => Promise<Response>

/** Creates a client of a world's API, which records its requests. Delays pass at once. */
export function createWorldClient(world: World, options: Partial<ShowrunnerOptions> = {}) {
  const requests: Request[] = []
  const delays: number[] = []
  const seam: { intercept: Interceptor } = { intercept: (_request, pass) => pass() }
  const fetch: typeof globalThis.fetch = async (...given) => {
    const request = new Request(...given)
    requests.push(request.clone())
    return seam.intercept(request, () => sendTo(world, request))
  }
  const clock = {
    now: world.clock.now,
    sleep: async (ms: number) => {
      delays.push(ms)
      await world.clock.advance(ms)
    },
  }
  const showrunner: Showrunner = createShowrunner({
    url: 'https://api.example.com/',
    token: TOKEN,
    fetch,
    clock,
    ...options,
  })
  return { showrunner, requests, delays, seam }
}
