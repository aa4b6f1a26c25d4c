import { type Clock, isStepped } from '../../../lib/clock.ts'
import type { Measurements } from '../insights/measurements.ts'
import type { Media, Output } from '../media/media.ts'
import type { Presence } from '../participants/presence.ts'
import type { Ids } from '../state/ids.ts'
import type { Store } from '../state/store.ts'
import type { AllTransitions } from '../state/transitions.ts'
import { DoorProblem } from './door-problem.ts'
import type { LiveStream } from './live-stream.ts'
import { loadWerift, type Werift } from './load-werift.ts'
import { type AnsweredPeer, createPeers, type PeerOwner, type Peers } from './peers.ts'
import { createWebRtcPublications, type NewPublication, type WebRtcPublication } from './publications.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createWhep, type WhepQuery } from './whep.ts'

/**
 * WebRTC for every kind of client: WHIP and WHEP, participants by WebSocket, and composers. Each method that takes an offer
 * throws a {@link DoorProblem}: 409 under a stepped clock, 501 on an old Node, 400 or 422 for an offer that cannot be answered.
 *
 * @example
 * // Publishes for a connection that exists:
 * const owner = { sessionId, connection, connect: () => connection }
 * const { id, answer, stream } = await webRtc.publish(owner, { name, videoType: 'custom', layoutClasses: [] }, offer)
 */
export interface WebRtc {
  /** Publishes the audio and the video that an offer sends. */
  publish(owner: PeerOwner, publication: NewPublication, offer: string): Promise<WebRtcPublication>
  /** Sends what a query selects to the peer of an offer, until either of them ends. */
  subscribe(owner: PeerOwner, query: WhepQuery, offer: string): Promise<AnsweredPeer>
  /** Returns the packets of a stream; undefined for one that is not published over WebRTC. */
  find(streamId: string): LiveStream | undefined
  readonly peers: Peers
}

export function createWebRtc(parts: {
  store: Store
  clock: Clock
  ids: Ids
  presence: Presence
  media: Media
  transitions: Pick<AllTransitions, 'archives' | 'broadcasts'>
  measurements: Measurements
  /** IPv4 address at which peers are answered. */
  address: string
  /** Returns a running archive or broadcast. */
  findOutput: (id: string) => Promise<Output> | undefined
}): WebRtc {
  const peers = createPeers(parts)
  const publications = createWebRtcPublications({ ...parts, peers })
  const whep = createWhep({
    ...parts,
    peers,
    subscriptions: createSubscriptions({ ...parts, findLive: publications.find }),
  })

  async function load({ connection }: PeerOwner): Promise<Werift> {
    if (isStepped(parts.clock))
      throw new DoorProblem(409, 'WebRTC needs real time: start the sandbox without --clock stepped.')
    const werift = await loadWerift()
    if (connection && !parts.store.connections.get(connection.id))
      throw new DoorProblem(404, 'The client has left the session.')
    return werift
  }
  return {
    peers,
    find: publications.find,
    publish: async (owner, publication, offer) => publications.publish(await load(owner), owner, publication, offer),
    subscribe: async (owner, query, offer) => whep.subscribe(await load(owner), owner, query, offer),
  }
}
