import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type Context, Hono } from 'hono'
import { buildPage } from '../../lib/constructs/deploy/build-page.ts'
import { idPattern } from '../../lib/show/document/fields/names.ts'
import { type Listening, listen } from '../../local/cloud/server.ts'
import { root } from '../local/root.ts'
import type { Access } from '../shows/show-api.ts'
import type { ShowParticipants } from '../shows/show-participants.ts'
import type { ConsoleLogin } from './console-login.ts'

export interface ConsoleOptions {
  /** The API to which requests of the page are forwarded. The page never sees its token. */
  readonly access: Access
  /** Origins of posters, recordings and broadcasts. */
  readonly mediaOrigins: readonly string[]
  readonly participants: ShowParticipants
  readonly login: ConsoleLogin
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** Files beside the page that it requests. */
const OTHERS = {
  '/icon.svg': join(root, 'web/console/icon.svg'),
  '/hls.js': join(root, 'node_modules/hls.js/dist/hls.light.min.mjs'),
  '/example.json': join(root, 'examples/webinar.json'),
}

const MAX_BODY_BYTES = 2 ** 20

/** Starts the console on 127.0.0.1. @throws Error when the port is in use */
export const startConsole = (options: ConsoleOptions, port = 0): Promise<Listening> =>
  listen(createConsole(options), port)

/** Creates the handler of the page and its requests. It answers only a browser that has logged in, and no other origin. */
export function createConsole({ access, mediaOrigins, participants, login }: ConsoleOptions) {
  const files = readFiles()
  const policy = policyFor(mediaOrigins)
  const routes = new Hono()

  routes.use(async (c, next) => {
    const refusal = refusalOf(c)
    const answer = refusal ? problem(403, refusal) : login.answer(c)
    if (answer) c.res = answer
    else await next()
    c.header('content-security-policy', policy)
    c.header('x-content-type-options', 'nosniff')
    c.header('referrer-policy', 'no-referrer')
    c.header('cross-origin-resource-policy', 'same-origin')
    c.header('cross-origin-opener-policy', 'same-origin')
    c.header('cache-control', 'no-store')
  })

  routes.get('/api/shows', (c) => forward(access, c))
  routes.get('/api/shows/:id', (c) => (idPattern.test(c.req.param('id')) ? forward(access, c) : c.notFound()))
  routes.get('/api/recordings', (c) => forward(access, c))
  routes.post('/api/shows', (c) => forward(access, c))

  routes.post('/participants', async (c) => {
    const { showId } = await c.req.json<{ showId?: unknown }>().catch(() => ({ showId: undefined }))
    if (typeof showId !== 'string' || !idPattern.test(showId))
      return problem(400, 'The body must name the show: { "showId": "…" }.')
    const show = await request(access, `/shows/${showId}`)
    if (!show.ok) return show
    if (!participants.attend(showId)) return problem(409, 'Participants are already joining this show.')
    return Response.json({ showId }, { status: 202 })
  })

  routes.get('*', (c) => {
    const file = files.get(c.req.path)
    return file ? c.body(file.content, 200, { 'content-type': file.type }) : c.notFound()
  })
  routes.notFound(() => problem(404, 'There is no such page.'))
  routes.onError((error) => {
    console.error(error)
    return problem(500, 'The console failed. The terminal shows the error.')
  })
  return async (request: Request): Promise<Response> => routes.fetch(request)
}

interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>
  readonly type: string
}

/** Returns every file that is served, by its path. A request for any other path finds nothing. */
function readFiles(): ReadonlyMap<string, PageFile> {
  const built = [...buildPage('console')].map(([name, content]) => [`/${name}`, content] as const)
  const others = Object.entries(OTHERS).map(([path, file]) => [path, readFileSync(file)] as const)
  return new Map(
    [...built, ...others].map(([path, content]) => [
      path === '/console.html' ? '/' : path,
      { content: new Uint8Array(content), type: TYPES[extname(path)] as string },
    ]),
  )
}

/** Allows scripts and styles of the console only, and no markup from text. hls.js feeds a player through a `blob:` URL. */
function policyFor(mediaOrigins: readonly string[]): string {
  const media = mediaOrigins.join(' ')
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' ${media}`,
    `media-src blob: ${media}`,
    `connect-src 'self' ${media}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ')
}

/** Returns the reason to refuse a request: another host name (DNS rebinding), another origin, or another site's embedding. */
function refusalOf({ req }: Context): string | undefined {
  const host = req.header('host') ?? ''
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host))
    return 'The console answers on loopback names only. Open it as http://127.0.0.1.'
  const origin = req.header('origin')
  if (origin !== undefined && origin !== `http://${host}`) return 'The console answers its own page only.'
  const site = req.header('sec-fetch-site') ?? 'none'
  const isVisit = req.header('sec-fetch-mode') === 'navigate' && req.method === 'GET' && req.path === '/'
  if (!['same-origin', 'none'].includes(site) && !isVisit) return 'The console answers its own page only.'
  return undefined
}

async function forward(access: Access, { req }: Context): Promise<Response> {
  const { pathname, search } = new URL(req.url)
  const key = req.header('idempotency-key')
  const body = req.method === 'POST' ? await req.arrayBuffer() : undefined
  if (body && body.byteLength > MAX_BODY_BYTES)
    return problem(413, 'The show document is larger than 1 MiB. Shorten it.')
  return request(access, `${pathname.slice('/api'.length)}${search}`, {
    method: req.method,
    headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
    ...(body && { body }),
  })
}

/** Sends a request to the API with the token of the console's user. */
async function request({ apiUrl, token }: Access, path: string, init: RequestInit = {}): Promise<Response> {
  try {
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    const answer = await fetch(`${apiUrl}${path}`, { ...init, headers })
    const type = answer.headers.get('content-type') ?? 'application/json'
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': type } })
  } catch {
    return problem(502, 'The API does not answer. Check that Showrunner is still running.')
  }
}

const problem = (status: number, detail: string) =>
  new Response(JSON.stringify({ type: 'about:blank', status, detail }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })
