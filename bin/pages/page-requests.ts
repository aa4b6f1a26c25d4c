import type { Context, MiddlewareHandler } from 'hono'
import { createShowrunner } from '../../lib/client/showrunner.ts'
import { ShowrunnerError } from '../../lib/client/showrunner-error.ts'
import type { Access, ShowApi } from '../shows/show-api.ts'

/** Returns a problem document (RFC 9457). */
export const pageProblem = (status: number, detail: string) =>
  new Response(JSON.stringify({ type: 'about:blank', status, detail }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })

/**
 * Refuses requests that the page of this server did not send: another host name (DNS rebinding), another origin, or another
 * site's embedding. Returns the reason, or undefined.
 * @param server as messages name it, such as `The console`
 */
export function pageRefusalOf({ req }: Context, server: string): string | undefined {
  const host = req.header('host') ?? ''
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host))
    return `${server} answers on loopback names only. Open it as http://127.0.0.1.`
  const origin = req.header('origin')
  if (origin !== undefined && origin !== `http://${host}`) return `${server} answers its own page only.`
  const site = req.header('sec-fetch-site') ?? 'none'
  const isVisit = req.header('sec-fetch-mode') === 'navigate' && req.method === 'GET' && req.path === '/'
  if (!['same-origin', 'none'].includes(site) && !isVisit) return `${server} answers its own page only.`
  return undefined
}

/** Adds the headers that isolate a page from others. @param policy the Content-Security-Policy */
export const isolate =
  (policy: string): MiddlewareHandler =>
  async (c, next) => {
    await next()
    c.header('content-security-policy', policy)
    c.header('x-content-type-options', 'nosniff')
    c.header('referrer-policy', 'no-referrer')
    c.header('cross-origin-resource-policy', 'same-origin')
    c.header('cross-origin-opener-policy', 'same-origin')
    c.header('cache-control', 'no-store')
  }

/**
 * Creates the client of the API with the token of the server's user, which no page receives. Each call has one attempt, since
 * the pages poll and their users repeat what failed.
 */
export const createPageApi = ({ apiUrl, token }: Access): ShowApi =>
  createShowrunner({ url: apiUrl, token, attempts: 1 })

/**
 * Answers a request that failed: with the refusal of the API, or 500 for a defect, which the terminal shows.
 * @param server as messages name it, such as `The console`
 */
export function answerError(error: unknown, server: string): Response {
  if (error instanceof ShowrunnerError) {
    if (error.type === 'no-answer')
      return pageProblem(502, 'The API does not answer. Check that Showrunner is still running.')
    const isRefusal = error.status !== undefined && error.status >= 400
    return pageProblem(isRefusal ? error.status : 502, error.message)
  }
  console.error(error)
  return pageProblem(500, `${server} failed. The terminal shows the error.`)
}
