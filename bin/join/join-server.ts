import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { Hono } from 'hono'
import { z } from 'zod'
import { realClock } from '../../lib/clock.ts'
import { idPattern } from '../../lib/show/document/fields/names.ts'
import { type Listener, openListener } from '../../local/cloud/server.ts'
import { root } from '../local/root.ts'
import { readPageFiles } from '../pages/page-files.ts'
import { answerError, createPageApi, isolate, pageProblem, pageRefusalOf } from '../pages/page-requests.ts'
import type { Access, ShowAnswer, ShowApi, ShowSummary } from '../shows/show-api.ts'
import { findInvited, invitationOf, namedShowOf } from './invited-participants.ts'
import { createWaitingParticipants, type WaitingParticipant, type WaitingParticipants } from './waiting-participants.ts'

interface JoinOptions {
  /** The API that creates the tokens of participants. The page never receives its token. */
  readonly access: Access
  /** Base URL of the sandbox, which the page connects to. */
  readonly sandboxUrl: string
}

interface JoinHandlerOptions extends JoinOptions {
  /** The secret of the link. */
  readonly invitation: string
  readonly participants: WaitingParticipants
}

/** The join page, as it is served on this machine. */
export interface JoinServer {
  /** Link for participants of any show. Its fragment has the invitation, because browsers send no fragment to a server or its log. */
  readonly joinUrl: string
  /** Returns the participants who wait for a show to start. */
  waiting(): readonly WaitingParticipant[]
  close(): Promise<void>
}

/** Characters of a name, as for a stream of the platform. */
const MAX_NAME = 60
/** Newest shows among which a link without a show finds one that runs. */
const MAX_LISTED = 20

const showId = z.string().regex(idPattern)
const name = z.string().trim().min(1).max(MAX_NAME)
const visitor = z.uuid()
const waitOrder = z.strictObject({ visitor, name, showId: showId.optional() })
const tokenOrder = z.strictObject({ visitor, name, showId })

/** Starts the join page on 127.0.0.1. @param opened its server. @default one on a free port */
export async function startJoinPage(options: JoinOptions, opened?: Listener): Promise<JoinServer> {
  const invitation = randomBytes(24).toString('base64url')
  const participants = createWaitingParticipants(realClock)
  const { url, answer, close } = opened ?? (await openListener())
  answer(createJoinPage({ ...options, invitation, participants }))
  return { joinUrl: `${url}/#${invitation}`, waiting: participants.list, close }
}

/** Creates the handler of the page and its requests. It answers its own page, and only to a participant with the invitation. */
export function createJoinPage({ access, sandboxUrl, invitation, participants }: JoinHandlerOptions) {
  const files = readPageFiles('join', { '/icon.svg': join(root, 'web/console/icon.svg') })
  const api = createPageApi(access)
  const routes = new Hono()

  routes.use(isolate(policyFor(sandboxUrl)), async (c, next) => {
    const refusal = pageRefusalOf(c, 'The join page')
    if (refusal) c.res = pageProblem(403, refusal)
    else await next()
  })
  routes.use('/api/*', async (c, next) => {
    const invited = invitationOf(c)
    if (invited !== undefined) await findInvited(api, invited) // or the API's refusal is the answer
    if (invited !== undefined || isEqual(c.req.header('authorization') ?? '', `Bearer ${invitation}`)) await next()
    else c.res = pageProblem(401, 'The link is incomplete or expired. Open the full link that you received.')
  })

  routes.get('/api/show', async (c) => {
    const wanted = c.req.query('show')
    if (wanted !== undefined && !idPattern.test(wanted)) return pageProblem(404, 'There is no such show.')
    return Response.json(await findShow(api, wanted, invitationOf(c)))
  })
  routes.post('/api/waiting', async (c) => {
    const order = waitOrder.safeParse(await c.req.json().catch(() => undefined))
    if (!order.success) return pageProblem(400, 'The body must have visitor and name.')
    const { visitor, name } = order.data
    const found = await findShow(api, order.data.showId, invitationOf(c))
    participants.note(visitor, { name, ...(found.show && { showId: found.show.showId }) })
    return Response.json(found)
  })
  routes.delete('/api/waiting/:visitor', (c) => {
    participants.remove(c.req.param('visitor'))
    return c.body(null, 204)
  })
  routes.post('/api/tokens', async (c) => {
    const order = tokenOrder.safeParse(await c.req.json().catch(() => undefined))
    if (!order.success)
      return pageProblem(400, `The body must have visitor, name and showId, a name of ${MAX_NAME} characters.`)
    const { visitor, name, showId } = order.data
    const invited = invitationOf(c)
    const { sessionId, token } = await (invited === undefined
      ? api.tokens.create(showId, { role: 'publisher', data: name })
      : api.tokens.exchange({ invitation: invited, data: name }))
    participants.remove(visitor)
    return Response.json({ sessionId, token, sandboxUrl })
  })

  routes.get('*', (c) => {
    const file = files.get(c.req.path)
    return file ? c.body(file.content, 200, { 'content-type': file.type }) : c.notFound()
  })
  routes.notFound(() => pageProblem(404, 'There is no such page.'))
  routes.onError((error) => answerError(error, 'The join page'))
  return async (request: Request): Promise<Response> => routes.fetch(request)
}

/** The fields of a show that participants may know. */
type ShownShow = Pick<ShowAnswer, 'showId' | 'name' | 'status' | 'liveAt' | 'plannedEndAt' | 'start'> & {
  /** True once its session exists. */
  readonly isOpen: boolean
}

/**
 * Finds the show of the invitation, or by default the newest that runs or is scheduled. There is no `show` while there is none.
 * An invitation to a series leads to each of its occurrences by id: one may still run when the next one has started.
 */
async function findShow(
  api: Pick<ShowApi, 'shows' | 'tokens'>,
  showId: string | undefined,
  invitation: string | undefined,
): Promise<{ show?: ShownShow }> {
  let wanted = showId
  if (invitation !== undefined) {
    const invited = await findInvited(api, invitation)
    const isOwn = wanted !== undefined && (await isOccurrence(api, wanted, namedShowOf(invitation)))
    if (!isOwn) wanted = invited
  }
  if (wanted === undefined) {
    const { items } = await api.shows.list({ limit: MAX_LISTED }).page()
    const runs = ({ status }: ShowSummary) => ['starting', 'waiting', 'live'].includes(status)
    wanted = (items.find(runs) ?? items.find(({ status }) => status === 'scheduled'))?.showId
    if (wanted === undefined) return {}
  }
  const { showId: id, name, status, sessionId, liveAt, plannedEndAt, start } = await api.shows.get(wanted)
  const times = { ...(liveAt && { liveAt }), ...(plannedEndAt && { plannedEndAt }), ...(start && { start }) }
  return { show: { showId: id, name, status, isOpen: sessionId !== undefined, ...times } }
}

async function isOccurrence({ shows }: Pick<ShowApi, 'shows'>, showId: string, scheduleId: string): Promise<boolean> {
  const show = await shows.get(showId).catch(() => undefined)
  return show?.scheduleId === scheduleId
}

/** Allows scripts and styles of the page only, no markup from text, and connections to the sandbox. */
function policyFor(sandboxUrl: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self'`,
    `media-src 'self' blob:`,
    `connect-src 'self' ${sandboxUrl} ${sandboxUrl.replace(/^http/, 'ws')}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ')
}

const isEqual = (one: string, other: string) => timingSafeEqual(digestOf(one), digestOf(other))
const digestOf = (text: string) => createHash('sha256').update(text).digest()
