import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { canonicalPath } from '../../../lib/platform/contract/operations/aliases.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import type { SandboxParts } from '../parts.ts'
import { ConnectionCut, respondWithFault } from './fault-injection.ts'
import type { Fault } from './faults.ts'
import { insightsErrorsOf } from './insights-refusal.ts'
import type { Perform } from './perform.ts'
import { Refusal } from './refusal.ts'
import { prefersXml, sessionsAsXml } from './session-xml.ts'

/**
 * One request in the log. `ms` is by the sandbox's clock, `fault` is the ordered fault, and `error` the name of an unexpected
 * error. The status is 0 when there was no answer.
 */
export interface LogLine {
  readonly requestId: string
  readonly method: string
  readonly operation: string
  readonly status: number
  readonly ms: number
  readonly fault?: Fault['type']
  readonly error?: string
}

/** Context variables of a request. `identified` is an answer that was created with the request's id. */
export type Variables = {
  Variables: { operation: string; fault: Fault['type']; requestId: string; identified: Response }
}

export const REQUEST_ID = 'x-request-id'

export const MAX_BODY_BYTES = 1024 * 1024

/** Creates the router of the platform's operations, whose paths are those of the contract. */
export function createRouter(
  parts: Pick<SandboxParts, 'clock' | 'ids' | 'faults'> & {
    perform: Perform
    /** Aborts when the sandbox closes. */
    signal: AbortSignal
    log?: ((line: LogLine) => void) | undefined
  },
): Hono<Variables> {
  const { perform, faults, ids, clock, log } = parts
  const router = new Hono<Variables>({ getPath: ({ url }) => canonicalPath(pathOf(url)) })

  router.use(async (c, next) => {
    const requestId = ids.uuid()
    const start = clock.now()
    c.set('requestId', requestId)
    const logRequest = (status: number, failure = {}) => {
      const [operation, fault] = [c.get('operation') ?? 'unknown', c.get('fault')]
      const ms = clock.now() - start
      log?.({ requestId, method: c.req.method, operation, status, ms, ...(fault && { fault }), ...failure })
    }
    try {
      await next()
    } catch (error) {
      logRequest(0)
      throw error
    }
    if (c.res !== c.get('identified')) c.res.headers.set(REQUEST_ID, requestId)
    logRequest(c.res.status, c.error && !(c.error instanceof Refusal) ? { error: c.error.name } : {})
  })
  router.on(
    ['POST', 'PUT', 'PATCH', 'DELETE'], // not GET: looking for its body makes Node build its whole Request
    '*',
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json(errorBody(413, 'The body is over 1 MB.'), 413) }),
  )

  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const answer = async (c: Context<Variables>, fault: Fault | undefined) =>
      reply(c, name, operation.success.status, await perform(name, c.req.raw, c.req.param(), fault))
    router.on(operation.method, honoPath(operation), (c) => {
      c.set('operation', name)
      const fault = faults.take(name)
      if (!fault) return answer(c, undefined)
      c.set('fault', fault.type)
      return respondWithFault(fault, () => answer(c, fault), parts)
    })
  }

  router.notFound((c) => c.json(errorBody(404, 'No operation has this method and path.'), 404))
  router.onError((error, c) => {
    if (error instanceof ConnectionCut) throw error
    const more = c.get('operation') === 'queryInsights' ? insightsErrorsOf(error) : {}
    return error instanceof Refusal
      ? c.json({ ...errorBody(error.code, error.message), ...more }, error.status)
      : c.json({ ...errorBody(500, 'The sandbox failed.'), ...more }, 500)
  })
  return router
}

/** Path of Insights, which have their own base URL. */
export const INSIGHTS_PATH = '/insights'

const honoPath = ({ base, path }: Operation) =>
  `${base === 'insights' ? INSIGHTS_PATH : ''}${path.replace(/\{(\w+)\}/g, ':$1')}`

function reply(c: Context<Variables>, name: OperationName, status: 200 | 202 | 204, answer: unknown): Response {
  if (answer === undefined && status === 204) return c.body(null, status)
  if (name === 'createSession' && prefersXml(c.req.header('accept'))) return sessionsAsXml(answer)
  const headers = { 'content-type': 'application/json', [REQUEST_ID]: c.get('requestId') }
  const identified = new Response(JSON.stringify(answer ?? {}), { status, headers })
  c.set('identified', identified) // adding the id later costs more: Node builds Headers from the object first
  return identified
}

/** Returns the path of a request's URL, which is normalized already: a URL parser would cost more. */
const pathOf = (url: string) => /^[^/]+\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? '/'

export const errorBody = (code: number, message: string) => ({ code, message })
