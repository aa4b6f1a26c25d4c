import type { Clock } from '../../../lib/clock.ts'
import type { DepartureReason, Presence } from '../participants/presence.ts'
import type { Ids } from '../state/ids.ts'
import type { ConnectionRecord } from '../state/records.ts'
import { DoorProblem } from './door-problem.ts'
import type { Werift } from './load-werift.ts'
import { createPeer, type Peer, type PeerCodecs, type PeerEnd } from './peer.ts'

/** The client that a peer belongs to. It exists already, or only while the peer is connected. */
export interface PeerOwner {
  readonly sessionId: string
  /** Absent as long as the client does not exist. */
  readonly connection: ConnectionRecord | undefined
  /** Returns the connection. Called once, when the peer is connected. */
  connect(): ConnectionRecord
  /** Called once when the peer has ended, unless the client left before. */
  onEnd?(end: PeerEnd): void
}

/** Actions of a publication or a subscription on its peer. */
export interface PeerUse {
  /** Called before the offer is answered. `end` closes the peer as if its other side had done so. */
  onPeer(peer: Peer, end: () => void): void
  /** Called when the peer is connected. */
  onConnected(connection: ConnectionRecord): void
  /**
   * Called once when the peer is closed, before its owner is notified, also when it never was connected.
   * @param end absent when the sandbox is closing
   */
  onGone?(end?: PeerEnd): void
}

/** Reasons for which a client or its stream is gone when its peer has ended. */
export const departureReasons: Readonly<Record<PeerEnd, DepartureReason>> = {
  closed: 'clientDisconnected',
  lost: 'networkDisconnected',
}

/** A peer whose offer is answered. */
export interface AnsweredPeer {
  readonly id: string
  /** The SDP answer. */
  readonly answer: string
}

/** The WebRTC peers of all clients: each publishes a stream, or receives one. */
export interface Peers {
  /** Answers the offer of a new peer. `id` is unique; by default it is a new one. */
  open(
    werift: Werift,
    owner: PeerOwner,
    codecs: PeerCodecs,
    offer: string,
    use: PeerUse,
    id?: string,
  ): Promise<AnsweredPeer>
  ownerOf(id: string): PeerOwner | undefined
  /**
   * Answers another offer of a peer, which may restart ICE.
   * @throws {@link DoorProblem} 404 for a peer that has ended, 400 for an offer that cannot be used
   */
  renegotiate(id: string, offer: string): Promise<string>
  /** Closes a peer. `how` is `closed` by default. Returns false if there is no such peer. */
  end(id: string, how?: PeerEnd): boolean
  /** Closes a peer without notifying its owner, who caused it. */
  discard(id: string): void
  close(): void
}

interface Entry {
  readonly owner: PeerOwner
  readonly peer: Peer
  readonly use: PeerUse
}

export function createPeers(parts: { clock: Clock; ids: Ids; presence: Presence; address: string }): Peers {
  const { clock, ids, presence, address } = parts
  const entries = new Map<string, Entry>()
  let isClosing = false

  function forget(id: string, how: PeerEnd = 'closed'): Entry | undefined {
    const entry = entries.get(id)
    entries.delete(id)
    entry?.peer.close()
    entry?.use.onGone?.(isClosing ? undefined : how)
    return entry
  }
  function end(id: string, how: PeerEnd = 'closed'): boolean {
    const entry = forget(id, how)
    entry?.owner.onEnd?.(how)
    return entry !== undefined
  }

  presence.listen({
    onLeft(left) {
      for (const [id, { owner }] of entries) if (owner.connection?.id === left.id) forget(id)
    },
  })

  return {
    end,
    discard: forget,
    ownerOf: (id) => entries.get(id)?.owner,
    async open(werift, owner, codecs, offer, use, id = ids.uuid()) {
      const peer = createPeer(werift, { clock, address }, codecs, {
        onConnected() {
          if (entries.has(id) && !isClosing) use.onConnected(owner.connect())
        },
        onEnd: (how) => end(id, how),
      })
      entries.set(id, { owner, peer, use })
      try {
        use.onPeer(peer, () => end(id))
        return { id, answer: await peer.answer(offer) }
      } catch (error) {
        forget(id)
        throw error
      }
    },
    async renegotiate(id, offer) {
      const peer = entries.get(id)?.peer
      if (!peer) throw new DoorProblem(404, 'There is no such peer: it has ended, or its offer was not answered.')
      return peer.renegotiate(offer)
    },
    close() {
      isClosing = true
      for (const id of [...entries.keys()]) forget(id)
    },
  }
}
