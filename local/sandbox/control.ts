import { Hono } from 'hono'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { sdkVersion } from '../../lib/platform/contract/insights.ts'
import { sdkTypes } from '../../lib/platform/contract/insights-answers.ts'
import { videoTypes } from '../../lib/platform/contract/streams.ts'
import type { Attendance } from './attendance.ts'
import type { Ids } from './ids.ts'
import { isLoopback } from './loopback.ts'
import { refuseNotYet } from './not-yet.ts'
import { participantSource } from './participant-source.ts'
import type { ConnectionRecord, ProjectRecord, SessionRecord } from './records.ts'
import { Refusal } from './refusal.ts'
import type { Variables } from './router.ts'
import type { Store } from './store.ts'
import { parse, readJson } from './validation.ts'

/** What Insights tell a client apart by: the JavaScript SDK unless told otherwise, and nothing more. */
const client = z.object({
  sdkType: z.enum(sdkTypes).default('JS'),
  sdkVersion: sdkVersion.optional(),
  country: z.string().max(100).optional(),
  region: z.string().max(100).optional(),
  browser: z.string().max(100).optional(),
  browserVersion: z.string().max(100).optional(),
})

const participant = z.object({
  name: z.string().max(255).default(''),
  publish: z.boolean().default(true),
  audio: z.boolean().default(true),
  video: z.boolean().default(true),
  videoType: z.enum(videoTypes).default('camera'),
  client: client.prefault({}),
  /** Without spaces: a token carries them in one string. */
  layoutClasses: z.array(z.string().regex(/^\S+$/)).default([]),
  source: participantSource,
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
    refuseUnusable(store.projects.get(session.projectId))
    const wanted = parse(participant, readJson(await c.req.text()))
    if (wanted.source.type === 'file') refuseNotYet('fileSources')
    if (wanted.publish && !wanted.audio && !wanted.video)
      throw new Refusal(400, 'audio and video must not both be false unless publish is.')
    const { name, videoType, audio: hasAudio, video: hasVideo, layoutClasses } = wanted
    const connection = attendance.connect(session.id, name || undefined, wanted.client)
    const stream = wanted.publish
      ? attendance.publish(connection, { name, videoType, hasAudio, hasVideo, layoutClasses })
      : undefined
    const token = await clientToken(session, wanted)
    return c.json({ connectionId: connection.id, streamId: stream?.id, token }, 201)
  })

  routes.delete('/sandbox/sessions/:sessionId/participants/:connectionId', (c) => {
    c.set('operation', 'leaveSession')
    attendance.disconnect(findParticipant(store, c.req.param()))
    return c.body(null, 204)
  })

  routes.get('/sandbox/sessions/:sessionId/participants/:connectionId/signals', (c) => {
    c.set('operation', 'readSignals')
    const connection = findParticipant(store, c.req.param())
    const items = store.signals
      .find({ connectionId: connection.id })
      .map(({ type, data, receivedAt }) => ({ type, data, from: '', receivedAt }))
    return c.json({ count: items.length, items })
  })

  /** What a client would have connected with, so that whatever reads client tokens can be shown a real one. */
  function clientToken({ id, projectId }: SessionRecord, wanted: z.output<typeof participant>): Promise<string> {
    const { name, publish, layoutClasses } = wanted
    const iat = Math.floor(now() / 1000)
    const claims = {
      iss: projectId,
      ist: 'project',
      iat,
      exp: iat + TOKEN_LIFETIME,
      session_id: id,
      role: publish ? 'publisher' : 'subscriber',
      nonce: ids.hex(8),
      scope: 'session.connect',
      initial_layout_class_list: layoutClasses.join(' '),
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

function findParticipant(store: Store, ids: { sessionId: string; connectionId: string }): ConnectionRecord {
  const session = findSession(store, ids.sessionId)
  const connection = store.connections.get(ids.connectionId)
  if (connection?.sessionId !== session.id) throw new Refusal(404, 'The session has no such participant.')
  return connection
}

/** @throws Refusal 403 when nobody can join the sessions of a project */
function refuseUnusable(project: ProjectRecord | undefined): void {
  if (!project) throw new Refusal(403, 'The session’s project has been deleted.')
  if (project.status === 'SUSPENDED') throw new Refusal(403, 'The session’s project is suspended: nobody can join.')
}
