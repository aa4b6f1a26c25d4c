import { participantIdentityOf } from '../../http/client-tokens.ts'
import type { Presence } from '../../participants/presence.ts'
import type { ConnectionRecord } from '../../state/records.ts'
import { departureReasons, type PeerOwner, type Peers } from '../peers.ts'
import type { Bearer } from './bearer.ts'

/** The clients of WHIP and WHEP: each exists while its one peer is connected. */
export interface Clients {
  /** Returns the owner of the peer that a bearer of a client token opens. */
  admit(bearer: Bearer): PeerOwner
  /** Disconnects the client of a peer; false when no token like this one has created it. */
  end(peerId: string, sessionId: string, token: string): boolean
}

export function createClients({ presence, peers }: { presence: Presence; peers: Peers }): Clients {
  const bearers = new WeakMap<PeerOwner, Bearer>()
  return {
    admit(bearer) {
      const { session, claims } = bearer
      let connection: ConnectionRecord | undefined
      const owner: PeerOwner = {
        sessionId: session.id,
        get connection() {
          return connection
        },
        connect() {
          connection = presence.connect(session.id, participantIdentityOf(claims).data)
          return connection
        },
        onEnd(end) {
          if (connection) presence.disconnect(connection, departureReasons[end])
        },
      }
      bearers.set(owner, bearer)
      return owner
    },
    end(peerId, sessionId, token) {
      const owner = peers.ownerOf(peerId)
      const bearer = owner && bearers.get(owner)
      return bearer?.session.id === sessionId && bearer.token === token && peers.end(peerId)
    },
  }
}
