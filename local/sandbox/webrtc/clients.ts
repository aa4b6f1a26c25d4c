import type { Clock } from '../../../lib/clock.ts'
import { identityOf } from '../http/client-tokens.ts'
import type { DepartureReason, Presence } from '../participants/presence.ts'
import type { Ids } from '../state/ids.ts'
import type { ConnectionRecord } from '../state/records.ts'
import type { Bearer } from './bearer.ts'
import type { Werift } from './load-werift.ts'
import { createPeer, type Peer, type PeerCodecs } from './peer.ts'

/** A peer that has been answered. It is a client of its session while it is connected. */
interface Client {
  readonly bearer: Bearer
  readonly peer: Peer
  connection?: ConnectionRecord
  onGone?(): void
}

export interface Answered {
  /** Names the client in `end`. */
  readonly id: string
  /** The SDP answer. */
  readonly answer: string
}

/** Actions of a door on a peer. */
export interface ClientListener {
  /** Called before the offer is answered; `leave` disconnects the client. */
  onPeer(peer: Peer, leave: () => void): void
  /** Called when the peer is connected and its client exists. */
  onEntered(connection: ConnectionRecord): void
  /** Called when the peer is closed, also when it never was connected. */
  onGone?(): void
}

/** The clients that use the WebRTC doors. */
export interface Clients {
  open(werift: Werift, bearer: Bearer, codecs: PeerCodecs, offer: string, listener: ClientListener): Promise<Answered>
  /** Disconnects a client; false when no token like this one has created it. */
  end(id: string, sessionId: string, token: string): boolean
  close(): void
}

export function createClients({ clock, ids, presence }: { clock: Clock; ids: Ids; presence: Presence }): Clients {
  const clients = new Map<string, Client>()
  let isClosing = false

  /** Closes the peer only: the client has left already, or never entered. */
  function forget(id: string): Client | undefined {
    const client = clients.get(id)
    clients.delete(id)
    client?.peer.close()
    client?.onGone?.()
    return client
  }
  function disconnect(id: string, reason: DepartureReason): boolean {
    const client = forget(id)
    if (client?.connection && !isClosing) presence.disconnect(client.connection, reason)
    return client !== undefined
  }

  presence.listen({
    onLeft(left) {
      for (const [id, { connection }] of clients) if (connection?.id === left.id) forget(id)
    },
  })

  return {
    async open(werift, bearer, codecs, offer, { onPeer, onEntered, onGone }) {
      const id = ids.uuid()
      const { session, claims } = bearer
      const peer = createPeer(werift, clock, codecs, {
        onConnected() {
          const client = clients.get(id)
          if (!client || isClosing) return
          client.connection = presence.connect(session.id, identityOf(claims).data)
          onEntered(client.connection)
        },
        onEnd: (end) => disconnect(id, end === 'closed' ? 'clientDisconnected' : 'networkDisconnected'),
      })
      clients.set(id, { bearer, peer, ...(onGone && { onGone }) })
      try {
        onPeer(peer, () => disconnect(id, 'clientDisconnected'))
        return { id, answer: await peer.answer(offer) }
      } catch (error) {
        forget(id)
        throw error
      }
    },
    end(id, sessionId, token) {
      const bearer = clients.get(id)?.bearer
      return bearer?.session.id === sessionId && bearer.token === token && disconnect(id, 'clientDisconnected')
    },
    close() {
      isClosing = true
      for (const id of [...clients.keys()]) forget(id)
    },
  }
}
