import { type ClientClaims, mayModerate, mayPublish, maySignal, maySubscribe } from '../http/client-tokens.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media } from '../media/media.ts'
import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { LiveMedia } from './live-media.ts'
import type { ParticipantRequest, SessionAnswer } from './messages.ts'
import { GENERATED } from './participant-source.ts'
import type { Presence } from './presence.ts'
import { streamOf } from './publication.ts'
import { viewStream } from './views.ts'

/** Client that sends a request, with the claims of its token. */
export interface Requester {
  readonly connection: ConnectionRecord
  readonly role: ClientClaims['role']
  /** Layout classes of the streams that it publishes. */
  readonly layoutClasses: readonly string[]
}

/** Handler of requests. Throws a {@link Refusal} 403 for a role that may not, and 404 for an unknown stream or client. */
export type AnswerRequest = (requester: Requester, request: ParticipantRequest) => Promise<SessionAnswer>

export function createAnswering(parts: {
  store: Store
  presence: Presence
  media: Pick<Media, 'openFile'>
  live: LiveMedia
}): AnswerRequest {
  const { store, presence, media, live } = parts
  return async (requester, message) => {
    const { connection } = requester
    const { sessionId } = connection
    const { request } = message
    const done = { type: 'done', request } as const
    switch (message.type) {
      case 'publish': {
        allow(mayPublish, requester, 'publish')
        if (message.sdp !== undefined) return { ...(await publishLive(requester, message)), type: 'published', request }
        const { source = GENERATED } = message
        const wanted = await streamOf(media, { ...message, source }, requester.layoutClasses)
        const stream = presence.publish(inSession(sessionId, connection.id), wanted)
        return { type: 'published', request, stream: viewStream(stream) }
      }
      case 'unpublish':
        if (live.end(connection, message.streamId)) return done
        presence.unpublish(ownStream(requester, message.streamId))
        return done
      case 'setAudio': {
        const { id, hasAudio } = ownStream(requester, message.streamId)
        if (!hasAudio) throw new Refusal(409, 'The stream was published without audio.')
        presence.change(id, { muted: !message.audio })
        return done
      }
      case 'setVideo': {
        const { id, hasVideo } = ownStream(requester, message.streamId)
        if (!hasVideo) throw new Refusal(409, 'The stream was published without video.')
        presence.change(id, { hidden: !message.video })
        return done
      }
      case 'subscribe': {
        allow(maySubscribe, requester, 'subscribe')
        const stream = streamInSession(sessionId, message.streamId)
        const { id, answer } = await live.subscribe(connection, stream, message.sdp)
        return { type: 'subscribed', request, id, sdp: answer }
      }
      case 'unsubscribe':
        if (!live.end(connection, message.id)) throw new Refusal(404, 'You have no such subscription.')
        return done
      case 'offer':
        return {
          type: 'answered',
          request,
          id: message.id,
          sdp: await live.renegotiate(connection, message.id, message.sdp),
        }
      case 'signal': {
        allow(maySignal, requester, 'send signals')
        const { to, signal } = message
        const receivers = to === undefined ? store.connections.find({ sessionId }) : [inSession(sessionId, to)]
        for (const receiver of receivers) presence.signal(receiver, { ...signal, from: connection.id })
        return done
      }
      case 'forceMute':
        allow(mayModerate, requester, 'mute others')
        presence.forceMute(streamInSession(sessionId, message.streamId).id)
        return done
      case 'forceMuteAll':
        allow(mayModerate, requester, 'mute others')
        presence.forceMuteAll(sessionId, message)
        return done
      case 'forceDisconnect':
        allow(mayModerate, requester, 'disconnect others')
        presence.disconnect(inSession(sessionId, message.connectionId), 'forceDisconnected')
        return done
      case 'leave':
        presence.disconnect(connection)
        return done
    }
  }

  async function publishLive(
    { connection, layoutClasses }: Requester,
    { name, videoType, audio, video, source, sdp = '' }: Extract<ParticipantRequest, { type: 'publish' }>,
  ) {
    if (source) throw new Refusal(400, 'source and sdp exclude each other: an offer is the source of its stream.')
    const stream = { name, videoType, layoutClasses, muted: !audio, hidden: !video }
    const { id, answer } = await live.publish(inSession(connection.sessionId, connection.id), stream, sdp)
    return { id, sdp: answer }
  }

  function inSession(sessionId: string, id: string): ConnectionRecord {
    const connection = store.connections.get(id)
    if (connection?.sessionId !== sessionId) throw new Refusal(404, 'The session has no such connection.')
    return connection
  }

  function streamInSession(sessionId: string, id: string): StreamRecord {
    const stream = store.streams.get(id)
    if (stream?.sessionId !== sessionId) throw new Refusal(404, 'The session has no such stream.')
    return stream
  }

  function ownStream({ connection }: Requester, id: string): StreamRecord {
    const stream = store.streams.get(id)
    if (stream?.connectionId !== connection.id) throw new Refusal(404, 'You publish no such stream.')
    return stream
  }
}

/** @throws {@link Refusal} 403 */
function allow(may: (requester: Requester) => boolean, requester: Requester, what: string): void {
  if (!may(requester)) throw new Refusal(403, `The role ${requester.role} may not ${what}.`)
}
