import { z } from 'zod'
import type { Measurements } from '../insights/measurements.ts'
import { DoorProblem } from './door-problem.ts'
import { type Forwarding, forward } from './forward.ts'
import type { PacketSource } from './live-stream.ts'
import type { Werift } from './load-werift.ts'
import { type ReadOffer, readOffer } from './offer.ts'
import type { AnsweredPeer, PeerOwner, Peers } from './peers.ts'
import type { Subscriptions } from './subscriptions.ts'

const id = z.string().min(1).optional()
const length = z.coerce.number().int().positive().max(8_192).optional()

/**
 * Query of a WHEP request: one stream, or the composed picture of one archive or broadcast. `width` and `height` are the size
 * in which it is shown, by which a layer is selected.
 */
export const whepQuery = z
  .object({ stream: id, output: id, width: length, height: length })
  .refine(
    ({ stream, output }) => (stream === undefined) !== (output === undefined),
    'Give one of stream and output: the id of a stream, or that of a running archive or broadcast.',
  )
  .refine(
    ({ width, height }) => (width === undefined) === (height === undefined),
    'Give both width and height, or neither.',
  )

/** Choice of a subscriber: one stream or output. */
export type WhepQuery = z.output<typeof whepQuery>

/** The subscribers of streams. */
export interface Whep {
  /** Answers a subscriber; it receives the packets of one stream or output until either of them ends. */
  subscribe(werift: Werift, owner: PeerOwner, query: WhepQuery, offer: string): Promise<AnsweredPeer>
}

export function createWhep({
  peers,
  subscriptions,
  measurements,
}: {
  peers: Peers
  subscriptions: Subscriptions
  measurements: Pick<Measurements, 'ofSubscription'>
}): Whep {
  return {
    async subscribe(werift, owner, { stream, output = '', width, height }, offer) {
      const { sessionId } = owner
      const source =
        stream === undefined
          ? await subscriptions.ofOutput(werift, sessionId, output)
          : subscriptions.ofStream(werift, sessionId, stream)
      const codecs = commonCodecs(source, readOffer(offer, 'recv'))
      const wants = width && height ? { width, height } : undefined
      let forwarding: Forwarding | undefined
      let stopMeasuring = () => {}
      return peers.open(werift, owner, codecs, offer, {
        onPeer(peer, leave) {
          forwarding = forward(werift, source, peer, { leave, wants })
        },
        onConnected(connection) {
          source.requestKeyframe()
          if (stream !== undefined && forwarding)
            stopMeasuring = measurements.ofSubscription(connection, stream, forwarding.counters)
        },
        onGone() {
          forwarding?.stop()
          stopMeasuring()
        },
      })
    },
  }
}

/** @throws {@link DoorProblem} 422 when the subscriber can receive nothing of the source */
function commonCodecs({ videoCodec, audioCodec }: PacketSource, offered: ReadOffer) {
  const video = videoCodec && offered.video?.includes(videoCodec) ? videoCodec : undefined
  const audio = audioCodec && offered.audio?.includes(audioCodec) ? audioCodec : undefined
  const codecs = [videoCodec, audioCodec].filter((codec) => codec !== undefined)
  if (!video && !audio) throw new DoorProblem(422, `It is ${codecs.join(' and ')}: the offer contains nothing of it.`)
  return { video, audio, isSubscriber: true }
}
