import type { Clock } from '../../../../lib/clock.ts'
import type { Services } from '../../../../lib/services.ts'
import { toEvent, toResponse } from '../../../cloud/http/http-event.ts'
import type { MakeHandler } from '../handlers.ts'

export interface UnscheduledApiOptions {
  readonly handlers: ReadonlyMap<string, MakeHandler>
  readonly services: Services
  readonly clock: Pick<Clock, 'now'>
}

/** The functions that serve paths. All others are served by `Api`. */
const FUNCTIONS: readonly (readonly [path: RegExp, name: string])[] = [
  [/^\/(watch|assets)\//, 'Watch'],
  [/^\/public\/join$/, 'Join'],
]

/**
 * Creates an API with separate functions. No call of theirs waits for its turn, fails or is traced. So requests to it change nothing
 * of what happens in a show, unless they write. It accepts every token.
 */
export function createUnscheduledApi({ handlers, services, clock }: UnscheduledApiOptions) {
  const made = new Map<string, ReturnType<MakeHandler>>()
  const functionOf = (name: string) => {
    const kept = made.get(name) ?? handlers.get(name)?.(services)
    if (!kept) throw new Error(`There is no handler for ${name}.`)
    made.set(name, kept)
    return kept
  }
  let requests = 0
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const [, name = 'Api'] = FUNCTIONS.find(([path]) => path.test(pathname)) ?? []
    const id = `guest-${++requests}`
    const body = Buffer.from(await request.arrayBuffer())
    const caller = callerOf(request.headers.get('authorization'))
    const about = { routeKey: `${request.method} ${pathname}`, path: decodeURIComponent(pathname), pathParameters: {} }
    const event = toEvent(request, { ...about, caller, body, time: clock.now(), id })
    const answer = await functionOf(name)(JSON.parse(JSON.stringify(event)), { awsRequestId: id })
    return toResponse(JSON.parse(JSON.stringify(answer ?? null)))
  }
}

function callerOf(authorization: string | null) {
  const [, claims] = authorization?.split('.') ?? []
  return claims === undefined
    ? undefined
    : { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), scopes: null }
}
