import { Hono } from 'hono'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import { parse, readJsonBody } from '../http/validation.ts'
import type { Media } from '../media/media.ts'
import { admitClient } from '../participants/admission.ts'
import { clientDetails } from '../participants/messages.ts'
import { publication, streamOf } from '../participants/publication.ts'
import type { SandboxParts } from '../parts.ts'
import { findAnySession } from '../sessions/find-session.ts'
import type { ConnectionRecord, SessionRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'

const participant = publication.extend({
  publish: z.boolean().default(true),
  client: clientDetails.prefault({}),
  /** Names without spaces, since a token carries them in one string. */
  layoutClasses: z.array(z.string().regex(/^\S+$/)).default([]),
})

const TOKEN_LIFETIME = 86_400 // seconds; a participant stays connected past it

/** Creates the routes by which clients join and leave a session, outside the platform's paths. */
export function createControlRoutes(
  parts: Pick<SandboxParts, 'store' | 'ids' | 'presence' | 'now'> & { media: Pick<Media, 'openFile'> },
): Hono<Variables> {
  const { store, ids, now, presence, media } = parts
  const routes = new Hono<Variables>()

  routes.post('/sandbox/sessions/:sessionId/participants', async (c) => {
    c.set('operation', 'joinSession')
    const session = findAnySession(store, c.req.param('sessionId'))
    const wanted = parse(participant, readJsonBody(await c.req.text()))
    const published = wanted.publish ? await streamOf(media, wanted, wanted.layoutClasses) : undefined
    admitClient(store, session)
    const connection = presence.connect(session.id, wanted.name || undefined, wanted.client)
    const stream = published && presence.publish(connection, published)
    const token = await clientToken(session, wanted)
    return c.json({ connectionId: connection.id, streamId: stream?.id, token }, 201)
  })

  routes.get('/sandbox/sessions/:sessionId/participants', (c) => {
    c.set('operation', 'listParticipants')
    const { id: sessionId } = findAnySession(store, c.req.param('sessionId'))
    const items = store.connections.find({ sessionId }).map(({ id: connectionId }) => ({
      connectionId,
      streamIds: store.streams.find({ connectionId }).map(({ id }) => id),
    }))
    return c.json({ count: items.length, items })
  })

  routes.delete('/sandbox/sessions/:sessionId/participants/:connectionId', (c) => {
    c.set('operation', 'leaveSession')
    presence.disconnect(findParticipant(store, c.req.param()))
    return c.body(null, 204)
  })

  routes.get('/sandbox/sessions/:sessionId/participants/:connectionId/signals', (c) => {
    c.set('operation', 'readSignals')
    const connection = findParticipant(store, c.req.param())
    const items = store.signals
      .find({ connectionId: connection.id })
      .map(({ type, data, from = '', receivedAt }) => ({ type, data, from, receivedAt }))
    return c.json({ count: items.length, items })
  })

  /** Creates the token with which a client would have connected, so that readers of client tokens can be tested. */
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

function findParticipant(store: Store, ids: { sessionId: string; connectionId: string }): ConnectionRecord {
  const session = findAnySession(store, ids.sessionId)
  const connection = store.connections.get(ids.connectionId)
  if (connection?.sessionId !== session.id) throw new Refusal(404, 'The session has no such participant.')
  return connection
}
