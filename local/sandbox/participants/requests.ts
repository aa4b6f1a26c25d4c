import { type ClientClaims, mayModerate, mayPublish, maySignal } from '../http/client-tokens.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media } from '../media/media.ts'
import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Answer, ParticipantRequest } from './messages.ts'
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
export type AnswerRequest = (requester: Requester, request: ParticipantRequest) => Promise<Answer>

export function createAnswering(parts: {
  store: Store
  presence: Presence
  media: Pick<Media, 'openFile'>
}): AnswerRequest {
  const { store, presence, media } = parts
  return async (requester, message) => {
    const { connection } = requester
    const { sessionId } = connection
    const { request } = message
    const done = { type: 'done', request } as const
    switch (message.type) {
      case 'publish': {
        allow(mayPublish, requester, 'publish')
        const wanted = await streamOf(media, message, requester.layoutClasses)
        const stream = presence.publish(inSession(sessionId, connection.id), wanted)
        return { type: 'published', request, stream: viewStream(stream) }
      }
      case 'unpublish':
        presence.unpublish(ownStream(requester, message.streamId))
        return done
      case 'setAudio': {
        const { id, hasAudio } = ownStream(requester, message.streamId)
        if (!hasAudio) throw new Refusal(409, 'The stream was published without audio.')
        presence.change(id, { muted: !message.audio })
        return done
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
