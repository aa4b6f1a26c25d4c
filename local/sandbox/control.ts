import { Hono } from 'hono'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { videoTypes } from '../../lib/platform/contract/streams.ts'
import type { Attendance } from './attendance.ts'
import type { Ids } from './ids.ts'
import { refuseNotYet } from './not-yet.ts'
import type { SessionRecord } from './records.ts'
import { Refusal } from './refusal.ts'
import type { Variables } from './router.ts'
import type { Store } from './store.ts'
import { parse, readJson } from './validation.ts'

const participant = z.object({
  name: z.string().max(255).default(''),
  publish: z.boolean().default(true),
  audio: z.boolean().default(true),
  video: z.boolean().default(true),
  videoType: z.enum(videoTypes).default('camera'),
  source: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('pattern') }),
      z.object({ type: z.literal('file'), path: z.string().min(1) }),
    ])
    .default({ type: 'pattern' }),
})

const TOKEN_LIFETIME = 86_400 // seconds; a participant stays connected past it

/**
 * The sandbox's own way to let clients join and leave a session, outside the platform's paths. It asks for no token, so
 * it serves this machine alone: by the name it was called, and by the page it was called from if a browser did.
 */
export function createControlRoutes(parts: {
  store: Store
  ids: Ids
  now: () => number
  attendance: Attendance
}): Hono<Variables> {
  const { store, ids, now, attendance } = parts
  const routes = new Hono<Variables>()

  routes.use('/sandbox/*', async (c, next) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host
    const origin = c.req.header('origin')
    if (!isLoopback(`http://${host}`)) throw new Refusal(403, 'The control interface answers to loopback names only.')
    if (origin !== undefined && !isLoopback(origin))
      throw new Refusal(403, 'The control interface does not serve pages from other machines.')
    await next()
  })

  routes.post('/sandbox/sessions/:sessionId/participants', async (c) => {
    c.set('operation', 'joinSession')
    const session = findSession(store, c.req.param('sessionId'))
    const wanted = parse(participant, readJson(await c.req.text()))
    if (wanted.source.type === 'file') refuseNotYet('fileSources')
    if (wanted.publish && !wanted.audio && !wanted.video)
      throw new Refusal(400, 'audio and video must not both be false unless publish is.')
    const connection = attendance.connect(session.id)
    const { name, videoType, audio: hasAudio, video: hasVideo } = wanted
    const stream = wanted.publish
      ? attendance.publish(connection, { name, videoType, hasAudio, hasVideo, layoutClasses: [] })
      : undefined
    const token = await clientToken(session, wanted.publish ? 'publisher' : 'subscriber', name)
    return c.json({ connectionId: connection.id, streamId: stream?.id, token }, 201)
  })

  routes.delete('/sandbox/sessions/:sessionId/participants/:connectionId', (c) => {
    c.set('operation', 'leaveSession')
    const session = findSession(store, c.req.param('sessionId'))
    const connection = store.connections.get(c.req.param('connectionId'))
    if (connection?.sessionId !== session.id) throw new Refusal(404, 'The session has no such participant.')
    attendance.disconnect(connection)
    return c.body(null, 204)
  })

  /** What a client would have connected with, so that whatever reads client tokens can be shown a real one. */
  function clientToken({ id, projectId }: SessionRecord, role: string, name: string): Promise<string> {
    const iat = Math.floor(now() / 1000)
    const claims = {
      iss: projectId,
      ist: 'project',
      iat,
      exp: iat + TOKEN_LIFETIME,
      session_id: id,
      role,
      nonce: ids.hex(8),
      scope: 'session.connect',
      initial_layout_class_list: '',
      ...(name && { connection_data: name }),
    }
    const secret = store.projects.get(projectId)?.secret ?? ''
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(secret))
  }

  return routes
}

function findSession(store: Store, id: string): SessionRecord {
  const session = store.sessions.get(id)
  if (!session) throw new Refusal(404, 'Session not found')
  return session
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)
}
