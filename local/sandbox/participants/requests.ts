import { type ClientClaims, mayModerate, mayPublish, maySignal } from '../http/client-tokens.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media } from '../media/media.ts'
import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Answer, ParticipantRequest } from './messages.ts'
import type { Presence } from './presence.ts'
import { streamOf } from './publication.ts'
import { viewStream } from './views.ts'

/** Whoever asks: a client, and what its token says of it. */
export interface Asking {
  readonly connection: ConnectionRecord
  readonly role: ClientClaims['role']
  /** Of the streams that it publishes. */
  readonly layoutClasses: readonly string[]
}

/** Does what a participant asks for. Throws a Refusal for what its role does not allow, and for what is not there. */
export type AnswerRequest = (asking: Asking, request: ParticipantRequest) => Promise<Answer>

export function createAnswering(parts: {
  store: Store
  presence: Presence
  media: Pick<Media, 'openFile'>
}): AnswerRequest {
  const { store, presence, media } = parts
  return async (asking, message) => {
    const { connection } = asking
    const { sessionId } = connection
    const { request } = message
    const done = { type: 'done', request } as const
    switch (message.type) {
      case 'publish': {
        allow(mayPublish, asking, 'publish')
        const wanted = await streamOf(media, message, asking.layoutClasses)
        const stream = presence.publish(inSession(sessionId, connection.id), wanted)
        return { type: 'published', request, stream: viewStream(stream) }
      }
      case 'unpublish':
        presence.unpublish(ownStream(asking, message.streamId))
        return done
      case 'setAudio': {
        const { id, hasAudio } = ownStream(asking, message.streamId)
        if (!hasAudio) throw new Refusal(409, 'The stream was published without audio.')
        presence.change(id, { muted: !message.audio })
        return done
      }
      case 'signal': {
        allow(maySignal, asking, 'send signals')
        const { to, signal } = message
        const receivers = to === undefined ? store.connections.find({ sessionId }) : [inSession(sessionId, to)]
        for (const receiver of receivers) presence.signal(receiver, { ...signal, from: connection.id })
        return done
      }
      case 'forceMute':
        allow(mayModerate, asking, 'mute others')
        presence.forceMute(streamInSession(sessionId, message.streamId).id)
        return done
      case 'forceMuteAll':
        allow(mayModerate, asking, 'mute others')
        presence.forceMuteAll(sessionId, message)
        return done
      case 'forceDisconnect':
        allow(mayModerate, asking, 'disconnect others')
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

  function ownStream({ connection }: Asking, id: string): StreamRecord {
    const stream = store.streams.get(id)
    if (stream?.connectionId !== connection.id) throw new Refusal(404, 'You publish no such stream.')
    return stream
  }
}

/** @throws Refusal 403 */
function allow(may: (asking: Asking) => boolean, asking: Asking, what: string): void {
  if (!may(asking)) throw new Refusal(403, `The role ${asking.role} may not ${what}.`)
}
