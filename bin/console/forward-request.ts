import type { Context } from 'hono'
import { routes } from '../../lib/client/methods/routes.ts'
import type { Route } from '../../lib/client/requests.ts'
import { errorOf, lostError, reasonOf } from '../../lib/client/showrunner-error.ts'
import { MAX_CAPTIONS_BYTES } from '../../lib/publish/manifest/manifest.ts'
import { pageProblem } from '../pages/page-requests.ts'
import type { Access } from '../shows/show-api.ts'

/** Bytes of the largest body that the API accepts: captions. */
const MAX_BODY_BYTES = MAX_CAPTIONS_BYTES
/** Milliseconds: API Gateway gives up after 30 s. */
const TIMEOUT_MS = 35_000
/** Headers of a request that the API receives, beside the token of the server's user. */
const SENT = ['accept', 'content-type', 'idempotency-key', 'if-none-match']
/** Headers of an answer that the page receives. */
const ANSWERED = ['content-type', 'etag', 'retry-after', 'location']
/** Names of recordings and broadcasts, and ids and languages, in a path. */
const NAME = '[0-9A-Za-z_-]{1,64}'
const SEGMENT = '[0-9A-Za-z-]{1,64}'

/** Requests of the API that need a token, as `METHOD /path`. */
const forwarded = Object.values(routes)
  .flatMap((group): Route[] => Object.values(group))
  .filter(({ isPublic }) => !isPublic)
  .map(({ method, path }) => new RegExp(`^${method} ${path.replace('{name}', NAME).replace(/\{\w+\}/g, SEGMENT)}$`))

/**
 * Creates the handler that forwards requests of a page below `/api` to the API, with the token of the server's user. Problem
 * documents are passed on. The page never receives the token.
 * @throws {@link ShowrunnerError} if the API does not answer, or another server answers
 */
export const createForwarding =
  ({ apiUrl, token }: Access) =>
  async (c: Context): Promise<Response> => {
    const { pathname, search } = new URL(c.req.url)
    const path = pathname.replace(/^\/api/, '')
    const { method } = c.req
    if (!forwarded.some((one) => one.test(`${method} ${path}`))) return pageProblem(404, 'The API has no such request.')
    const body = await c.req.arrayBuffer()
    if (body.byteLength > MAX_BODY_BYTES) return pageProblem(413, 'The request is larger than 4 MiB. Shorten it.')
    const headers = { ...pick(c.req.raw.headers, SENT), authorization: `Bearer ${token}` }
    const sent = body.byteLength > 0 ? { body } : {}
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const answer = await fetch(`${apiUrl}${path}${search}`, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...sent,
    }).catch((error: unknown) => {
      throw lostError(apiUrl, reasonOf(error), error)
    })
    return answerOf(answer, apiUrl)
  }

/** Returns an answer of the API for the page. @throws {@link ShowrunnerError} for the answer of another server */
async function answerOf(answer: Response, apiUrl: string): Promise<Response> {
  const { status, headers } = answer
  // The page could do nothing about the server's token. Its own 401 asks for a log-in.
  if (status === 401) return pageProblem(502, errorOf(status, undefined, apiUrl).message)
  const isJson = /^application\/([a-z]+\+)?json\b/.test(headers.get('content-type') ?? '')
  if (status !== 304 && !isJson) throw errorOf(status, undefined, apiUrl)
  const body = status === 304 ? null : await answer.arrayBuffer()
  return new Response(body, { status, headers: pick(headers, ANSWERED) })
}

/** Returns those headers that are set. */
function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => [[name, headers.get(name)]]).filter(([, value]) => value !== null))
}
