import { z } from 'zod'
import type { Bearer } from './bearer.ts'
import type { Answered, Clients } from './clients.ts'
import { DoorProblem } from './door-problem.ts'
import { forward } from './forward.ts'
import type { PacketSource } from './live-stream.ts'
import type { Werift } from './load-werift.ts'
import { type ReadOffer, readOffer } from './offer.ts'
import type { Subscriptions } from './subscriptions.ts'

const id = z.string().min(1).optional()

/** Query of a WHEP request: one stream, or the composed picture of one archive or broadcast. */
export const whepQuery = z
  .object({ stream: id, output: id })
  .refine(
    ({ stream, output }) => (stream === undefined) !== (output === undefined),
    'Give one of stream and output: the id of a stream, or that of a running archive or broadcast.',
  )

/** The subscribers that entered through the WHEP door. */
export interface Whep {
  /** Answers a subscriber; it receives the packets of one stream or output until either of them ends. */
  subscribe(werift: Werift, bearer: Bearer, query: z.output<typeof whepQuery>, offer: string): Promise<Answered>
}

export function createWhep({
  clients,
  subscriptions,
}: {
  clients: Pick<Clients, 'open'>
  subscriptions: Subscriptions
}): Whep {
  return {
    async subscribe(werift, bearer, { stream, output = '' }, offer) {
      const sessionId = bearer.session.id
      const source =
        stream === undefined
          ? await subscriptions.ofOutput(werift, sessionId, output)
          : subscriptions.ofStream(werift, sessionId, stream)
      const codecs = commonCodecs(source, readOffer(offer, 'recv'))
      let stop = () => {}
      return clients.open(werift, bearer, codecs, offer, {
        onPeer(peer, leave) {
          stop = forward(werift, source, peer, leave)
        },
        onEntered: () => source.requestKeyframe(),
        onGone: () => stop(),
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
  return { video, audio }
}
