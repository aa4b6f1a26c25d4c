import { STATUS_CODES } from 'node:http'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { Clock } from '../../../../lib/clock.ts'
import { videoTypes } from '../../../../lib/platform/contract/streams.ts'
import { mayPublish, maySubscribe, participantIdentityOf } from '../../http/client-tokens.ts'
import type { Hosts } from '../../http/hosts.ts'
import { Refusal } from '../../http/refusal.ts'
import type { Variables } from '../../http/router.ts'
import { parse } from '../../http/validation.ts'
import type { Presence } from '../../participants/presence.ts'
import type { Store } from '../../state/store.ts'
import { DoorProblem } from '../door-problem.ts'
import type { WebRtc } from '../webrtc.ts'
import { whepQuery } from '../whep.ts'
import { readBearer, tokenOf } from './bearer.ts'
import { createClients } from './clients.ts'

const SDP = 'application/sdp'
const DOOR = '/sandbox/sessions/:sessionId/:door{whip|whep}'

/** Query of a WHIP request. */
const whipQuery = z.object({
  name: z.string().max(255).default(''),
  videoType: z.enum(videoTypes).default('camera'),
})

/** Creates the routes of WHIP (RFC 9725) and WHEP (draft-ietf-wish-whep). They take a client token, not the control token. */
export function createDoors(parts: {
  store: Store
  clock: Clock
  presence: Presence
  webRtc: WebRtc
  hosts: Hosts
  publicUrl: () => string
}): Hono<Variables> {
  const { webRtc, hosts, publicUrl } = parts
  const clients = createClients({ ...parts, peers: webRtc.peers })
  const routes = new Hono<Variables>()
  routes.onError((error, c) => problemOf(error, c))
  routes.use(`${DOOR}/:id?`, async (c, next) => {
    hosts.refuseElsewhere(c.req.header('host') ?? new URL(c.req.url).host)
    allowPage(c, hosts)
    return next()
  })

  routes.options(`${DOOR}/:id?`, (c) => {
    c.set('operation', 'preflightWebRtc')
    c.header('accept-post', SDP)
    c.header('access-control-allow-methods', 'POST, DELETE')
    c.header('access-control-allow-headers', 'authorization, content-type')
    return c.body(null, 204)
  })

  routes.post(DOOR, async (c) => {
    const isPublisher = c.req.param('door') === 'whip'
    c.set('operation', isPublisher ? 'publishByWhip' : 'subscribeByWhep')
    const bearer = readBearer(parts, c.req.param('sessionId'), c.req.header('authorization'))
    const { role } = bearer.claims
    if (isPublisher ? !mayPublish({ role }) : !maySubscribe({ role }))
      throw new DoorProblem(403, `The role ${role} may not ${isPublisher ? 'publish' : 'subscribe'}.`)
    checkMediaTypes(c)
    const [query, offer] = [c.req.query(), await c.req.text()]
    const owner = clients.admit(bearer)
    const { layoutClasses } = participantIdentityOf(bearer.claims)
    const { id, answer } = isPublisher
      ? await webRtc.publish(owner, { ...parse(whipQuery, query), layoutClasses }, offer)
      : await webRtc.subscribe(owner, parse(whepQuery, query), offer)
    return c.body(answer, 201, {
      'content-type': SDP,
      'content-length': String(Buffer.byteLength(answer)), // ffmpeg reads no chunked answer
      location: `${publicUrl()}${new URL(c.req.url).pathname}/${id}`,
      etag: `"${id}"`,
    })
  })

  routes.delete(`${DOOR}/:id`, (c) => {
    c.set('operation', 'leaveWebRtc')
    const token = tokenOf(c.req.header('authorization'))
    if (!clients.end(c.req.param('id'), c.req.param('sessionId'), token))
      throw new DoorProblem(404, 'No client of this address was created with this token.')
    return c.text('', 200, { 'content-length': '0' })
  })

  routes.all(DOOR, (c) => refuseMethod(c, 'POST, OPTIONS'))
  routes.all(`${DOOR}/:id`, (c) => refuseMethod(c, 'DELETE, OPTIONS'))

  return routes
}

/** Lets pages of this machine read the answer. @throws {@link DoorProblem} 403 for any other page */
function allowPage(c: Context<Variables>, hosts: Hosts): void {
  const origin = c.req.header('origin')
  if (origin === undefined) return
  if (!hosts.includes(origin)) throw new DoorProblem(403, 'Participants join from pages of this machine only.')
  c.header('access-control-allow-origin', origin)
  c.header('access-control-expose-headers', 'location, etag')
  c.header('vary', 'origin')
}

/** @throws {@link DoorProblem} 415 or 406 */
function checkMediaTypes(c: Context<Variables>): void {
  const type = (name: string, fallback: string) => (c.req.header(name) || fallback).toLowerCase()
  if (type('content-type', '').split(';')[0]?.trim() !== SDP)
    throw new DoorProblem(415, `The body must be sent as ${SDP}.`)
  const accepted = type('accept', '*/*')
    .split(',')
    .map((one) => one.split(';')[0]?.trim())
  if (!accepted.some((one) => one === SDP || one === 'application/*' || one === '*/*'))
    throw new DoorProblem(406, `The answer is ${SDP}: accept it.`)
}

function refuseMethod({ req }: Context<Variables>, allow: string): never {
  throw new DoorProblem(405, `${req.method} is not answered here.`, { allow })
}

function problemOf(error: Error, c: Context<Variables>): Response {
  const { status, message } = error instanceof Refusal ? error : new DoorProblem(500, 'The sandbox failed.')
  const headers = error instanceof DoorProblem ? error.headers : {}
  const body = { title: STATUS_CODES[status], status, detail: message }
  return c.body(JSON.stringify(body), status, { ...headers, 'content-type': 'application/problem+json' })
}
