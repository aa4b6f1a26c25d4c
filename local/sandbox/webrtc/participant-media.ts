import type { LiveMedia } from '../participants/live-media.ts'
import type { ConnectionRecord } from '../state/records.ts'
import { DoorProblem } from './door-problem.ts'
import type { PeerOwner } from './peers.ts'
import type { WebRtc } from './webrtc.ts'

/** Creates the media of participants, whose connections exist before and after each of their peers. */
export function createParticipantMedia({ peers, publish, subscribe }: WebRtc): LiveMedia {
  const owns = (connection: ConnectionRecord, id: string) => peers.ownerOf(id)?.connection?.id === connection.id
  return {
    publish: (connection, stream, offer) => publish(ownerFor(connection), stream, offer),
    subscribe: (connection, stream, offer) => subscribe(ownerFor(connection), { stream: stream.id }, offer),
    async renegotiate(connection, id, offer) {
      if (!owns(connection, id)) throw new DoorProblem(404, 'You have no such publication or subscription.')
      return peers.renegotiate(id, offer)
    },
    end: (connection, id) => owns(connection, id) && peers.end(id),
  }
}

/** Returns the owner of a peer by which a connection publishes or subscribes: its end does not end the connection. */
const ownerFor = (connection: ConnectionRecord): PeerOwner => ({
  sessionId: connection.sessionId,
  connection,
  connect: () => connection,
})
