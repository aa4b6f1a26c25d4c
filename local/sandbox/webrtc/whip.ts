import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { videoTypes } from '../../../lib/platform/contract/streams.ts'
import { identityOf } from '../http/client-tokens.ts'
import type { Presence } from '../participants/presence.ts'
import type { Bearer } from './bearer.ts'
import type { Answered, Clients } from './clients.ts'
import { createLiveStream, type LiveStream } from './live-stream.ts'
import type { Werift } from './load-werift.ts'
import { readOffer } from './offer.ts'

/** Query of a WHIP request. */
export const whipQuery = z.object({
  name: z.string().max(255).default(''),
  videoType: z.enum(videoTypes).default('camera'),
})

/** The streams that are published by WHIP. */
export interface Whip {
  /** Answers a publisher; its stream exists while it is connected. */
  publish(werift: Werift, bearer: Bearer, query: z.output<typeof whipQuery>, offer: string): Promise<Answered>
  /** Returns the packets of a stream; undefined for one that is not published over WebRTC. */
  find(streamId: string): LiveStream | undefined
}

export function createWhip({ clock, presence, clients }: { clock: Clock; presence: Presence; clients: Clients }): Whip {
  /** By stream id. */
  const published = new Map<string, LiveStream>()
  presence.listen({
    onUnpublished({ id }) {
      published.get(id)?.end()
      published.delete(id)
    },
    onChanged({ id, muted = false }) {
      const live = published.get(id)
      if (live) live.isMuted = muted
    },
  })

  return {
    async publish(werift, bearer, { name, videoType }, offer) {
      const offered = readOffer(offer, 'send')
      const codecs = { video: offered.video?.[0], audio: offered.audio?.[0] }
      let live: LiveStream
      return clients.open(werift, bearer, codecs, offer, {
        onPeer(peer) {
          live = createLiveStream(clock, peer)
        },
        onEntered(connection) {
          const { layoutClasses } = identityOf(bearer.claims)
          const tracks = { hasAudio: codecs.audio !== undefined, hasVideo: codecs.video !== undefined }
          const source = { type: 'live', videoCodec: codecs.video, audioCodec: codecs.audio } as const
          const stream = presence.publish(connection, { name, videoType, layoutClasses, ...tracks, source })
          live.isMuted = stream.muted === true
          published.set(stream.id, live)
        },
      })
    },
    find: (streamId) => published.get(streamId),
  }
}
