import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { NewStream } from './presence.ts'

/** A peer connection of a participant whose offer is answered. */
export interface LivePeer {
  /** Id of the stream that it publishes, or of the subscription. */
  readonly id: string
  /** The SDP answer. */
  readonly answer: string
}

/**
 * Media that participants send and receive themselves, over WebRTC. The participant offers each time.
 * A call is refused with a {@link Refusal} when the offer cannot be answered, or when media cannot be live.
 */
export interface LiveMedia {
  /** Publishes the tracks of an offer. The stream exists from its first keyframe on. */
  publish(
    connection: ConnectionRecord,
    stream: Pick<NewStream, 'name' | 'videoType' | 'layoutClasses' | 'muted' | 'hidden'>,
    offer: string,
  ): Promise<LivePeer>
  /** Sends a stream to a participant until either of them ends. */
  subscribe(connection: ConnectionRecord, stream: StreamRecord, offer: string): Promise<LivePeer>
  /** Answers another offer of a peer connection: its tracks are changed, or its network. */
  renegotiate(connection: ConnectionRecord, id: string, offer: string): Promise<string>
  /** Ends a publication or a subscription; false when the participant has no such one. */
  end(connection: ConnectionRecord, id: string): boolean
}
