import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { videoTypes } from '../../../lib/platform/contract/streams.ts'
import { identityOf } from '../http/client-tokens.ts'
import type { Presence } from '../participants/presence.ts'
import type { Ids } from '../state/ids.ts'
import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { Bearer } from './bearer.ts'
import { createLiveStream, type LiveStream } from './live-stream.ts'
import type { Werift } from './load-werift.ts'
import { readOffer } from './offer.ts'
import { createPeer, type Peer, type PeerEnd } from './peer.ts'

/** Query of a WHIP request. */
export const whipQuery = z.object({
  name: z.string().max(255).default(''),
  videoType: z.enum(videoTypes).default('camera'),
})

/** A publisher that has been answered; connection and stream exist while it is connected. */
interface Publisher {
  readonly bearer: Bearer
  readonly peer: Peer
  readonly live: LiveStream
  connection?: ConnectionRecord
  stream?: StreamRecord
}

/** The publishers that came through the WHIP door. */
export interface Whip {
  /** Answers an offer; the returned `id` names the publisher in `end`. */
  publish(
    werift: Werift,
    bearer: Bearer,
    query: z.output<typeof whipQuery>,
    offer: string,
  ): Promise<{ id: string; answer: string }>
  /** Ends what a publisher has published; false when no token like this one has created such a publisher. */
  end(id: string, sessionId: string, token: string): boolean
  /** Returns the packets of a stream that is published over WebRTC. */
  find(streamId: string): LiveStream | undefined
  close(): void
}

export function createWhip({ clock, ids, presence }: { clock: Clock; ids: Ids; presence: Presence }): Whip {
  const publishers = new Map<string, Publisher>()
  let isClosing = false
  const withStream = (streamId: string) => [...publishers.values()].find(({ stream }) => stream?.id === streamId)

  function leave(id: string, reason: 'clientDisconnected' | 'networkDisconnected'): boolean {
    const publisher = publishers.get(id)
    publisher?.peer.close()
    publishers.delete(id)
    if (publisher?.connection && !isClosing) presence.disconnect(publisher.connection, reason)
    return publisher !== undefined
  }

  presence.listen({
    onLeft({ id: connectionId }) {
      for (const [id, { connection, peer }] of publishers) {
        if (connection?.id !== connectionId) continue
        publishers.delete(id)
        peer.close()
      }
    },
    onChanged({ id, muted = false }) {
      const publisher = withStream(id)
      if (publisher) publisher.live.isMuted = muted
    },
  })

  return {
    async publish(werift, bearer, { name, videoType }, offer) {
      const { session, claims } = bearer
      const offered = readOffer(offer, 'send')
      const codecs = { video: offered.video?.[0], audio: offered.audio?.[0] }
      const id = ids.uuid()
      const peer = createPeer(werift, clock, codecs, { onConnected: () => enter(), onEnd })
      const publisher: Publisher = { bearer, peer, live: createLiveStream(peer, codecs) }
      publishers.set(id, publisher)

      function enter(): void {
        if (isClosing || !publishers.has(id)) return
        const { data, layoutClasses } = identityOf(claims)
        publisher.connection = presence.connect(session.id, data)
        const stream = presence.publish(publisher.connection, {
          ...{
            name,
            videoType,
            layoutClasses,
            hasAudio: offered.audio !== undefined,
            hasVideo: offered.video !== undefined,
          },
          source: { type: 'live', videoCodec: codecs.video, audioCodec: codecs.audio },
        })
        publisher.stream = stream
        publisher.live.isMuted = stream.muted === true
      }
      function onEnd(end: PeerEnd): void {
        leave(id, end === 'closed' ? 'clientDisconnected' : 'networkDisconnected')
      }
      try {
        return { id, answer: await peer.answer(offer) }
      } catch (error) {
        publishers.delete(id)
        throw error
      }
    },
    end(id, sessionId, token) {
      const bearer = publishers.get(id)?.bearer
      return bearer?.session.id === sessionId && bearer.token === token && leave(id, 'clientDisconnected')
    },
    find: (streamId) => withStream(streamId)?.live,
    close() {
      isClosing = true
      for (const { peer } of publishers.values()) peer.close()
      publishers.clear()
    },
  }
}
