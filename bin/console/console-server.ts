import { join } from 'node:path'
import { Hono } from 'hono'
import { getAhead } from '../../lib/clock.ts'
import { idPattern } from '../../lib/show/document/fields/names.ts'
import { type Listener, type Listening, openListener } from '../../local/cloud/server.ts'
import type { GreenRoom } from '../join/green-room.ts'
import { hlsScript, root } from '../local/root.ts'
import { readPageFiles } from '../pages/page-files.ts'
import { answerError, createPageApi, isolate, pageProblem, pageRefusalOf } from '../pages/page-requests.ts'
import type { Access } from '../shows/show-api.ts'
import type { ShowParticipants } from '../shows/show-participants.ts'
import { type BreakableSandbox, createBreakRoutes } from './break-routes.ts'
import type { ConsoleLogin } from './console-login.ts'
import { createForwarding } from './forward-request.ts'
import type { LocalClock } from './local-clock.ts'

export interface ConsoleOptions {
  /** The API that the server calls for the page. The page never receives its token. */
  readonly access: Access
  /** Origins of posters, recordings and broadcasts. */
  readonly mediaOrigins: readonly string[]
  readonly login: ConsoleLogin
  /** Parts of `npm start` beside the API. @default none: the page is for a deployment */
  readonly local?: LocalParts
  /** The deployment that the page is for. @default this machine */
  readonly deployment?: Deployment
}

interface LocalParts {
  readonly participants: ShowParticipants
  /** Link to the join page, without a show. */
  readonly joinUrl: string
  readonly greenRoom: GreenRoom
  /** The sandbox, from which the page receives streams and the pictures of outputs, and which it may break. */
  readonly sandbox: BreakableSandbox
  readonly clock: LocalClock
}

interface Deployment {
  /** Name for people, such as `The stage prod`. */
  readonly name: string
  readonly apiUrl: string
}

/** Files beside the page that it requests. */
const OTHERS = {
  '/icon.svg': join(root, 'web/console/icon.svg'),
  '/hls.js': hlsScript,
  '/example.json': join(root, 'examples/webinar.json'),
  '/show.schema.json': join(root, 'docs/show.schema.json'),
}

/** Shows of one request whose participants are listed. */
const MAX_SESSIONS = 20

/** Starts the console on 127.0.0.1. @param opened its server. @default one on a free port */
export async function startConsole(options: ConsoleOptions, opened?: Listener): Promise<Listening> {
  const listener = opened ?? (await openListener())
  listener.answer(createConsole(options))
  return listener
}

/** Creates the handler of the page and its requests. It answers only a browser that has logged in, and no other origin. */
export function createConsole({ access, mediaOrigins, login, local, deployment }: ConsoleOptions) {
  const files = readPageFiles('console', OTHERS)
  const api = createPageApi(access)
  const routes = new Hono()

  routes.use(isolate(policyFor(mediaOrigins, local?.sandbox.url)), async (c, next) => {
    const refusal = pageRefusalOf(c, 'The console')
    const answer = refusal ? pageProblem(403, refusal) : login.answer(c)
    if (answer) c.res = answer
    else await next()
  })

  routes.all('/api/*', createForwarding(access))

  routes.post('/participants', async (c) => {
    const { showId } = await c.req.json<{ showId?: unknown }>().catch(() => ({ showId: undefined }))
    if (typeof showId !== 'string' || !idPattern.test(showId))
      return pageProblem(400, 'The body must name the show: { "showId": "…" }.')
    if (!local) return pageProblem(409, 'Participants of the sandbox cannot join a show of a deployment.')
    await api.shows.get(showId)
    if (!local.participants.attend(showId)) return pageProblem(409, 'Participants are already joining this show.')
    return Response.json({ showId }, { status: 202 })
  })

  routes.post('/tickets', (c) => c.json({ address: login.ticketAddressOf(`http://${c.req.header('host')}`) }, 201))

  routes.get('/green-room', async (c) => {
    if (!local) return c.json({ joinUrl: '', participants: [] })
    const sessions = (c.req.queries('session') ?? []).slice(0, MAX_SESSIONS)
    return Response.json({ joinUrl: local.joinUrl, participants: await local.greenRoom.participants(sessions) })
  })

  if (local) routes.route('/break', createBreakRoutes(local.sandbox, local.clock))

  routes.get('/deployment', (c) =>
    c.json({ ...deployment, isLocal: local !== undefined, sandboxUrl: local?.sandbox.url, ahead: getAhead() }),
  )

  routes.get('*', (c) => {
    const file = files.get(c.req.path)
    return file ? c.body(file.content, 200, { 'content-type': file.type }) : c.notFound()
  })
  routes.notFound(() => pageProblem(404, 'There is no such page.'))
  routes.onError((error) => answerError(error, 'The console'))
  return async (request: Request): Promise<Response> => routes.fetch(request)
}

/** Allows scripts and styles of the console only, and no markup from text. hls.js feeds a player through a `blob:` URL. */
function policyFor(mediaOrigins: readonly string[], sandboxUrl?: string): string {
  const media = mediaOrigins.join(' ')
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' ${media}`,
    `media-src blob: ${media}`,
    `connect-src 'self' ${media} ${sandboxUrl?.replace(/^http/, 'ws') ?? ''}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ')
}
