import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { videoTypes } from '../../../lib/platform/contract/streams.ts'
import { identityOf } from '../http/client-tokens.ts'
import type { Presence } from '../participants/presence.ts'
import type { ConnectionRecord } from '../state/records.ts'
import type { Bearer } from './bearer.ts'
import type { Answered, Clients } from './clients.ts'
import { createLiveStream, type LiveStream } from './live-stream.ts'
import type { Werift } from './load-werift.ts'
import { feedMedia } from './media-feed.ts'
import { readOffer } from './offer.ts'

/** Query of a WHIP request. */
export const whipQuery = z.object({
  name: z.string().max(255).default(''),
  videoType: z.enum(videoTypes).default('camera'),
})

/** Milliseconds that the size of the video is waited for. A camera that is off sends none. */
const MAX_WAIT = 3_000

/** The streams that are published by WHIP. */
export interface Whip {
  /** Answers a publisher; its stream exists from its first keyframe on, while it is connected. */
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
      let isGone = false
      function enter(connection: ConnectionRecord): void {
        if (isGone) return
        const { layoutClasses } = identityOf(bearer.claims)
        const tracks = { hasAudio: codecs.audio !== undefined, hasVideo: codecs.video !== undefined }
        const source = feedMedia(clock, live)
        const stream = presence.publish(connection, { name, videoType, layoutClasses, ...tracks, source })
        live.isMuted = stream.muted === true
        published.set(stream.id, live)
      }
      return clients.open(werift, bearer, codecs, offer, {
        onPeer(peer) {
          live = createLiveStream(clock, peer)
        },
        async onEntered(connection) {
          live.requestKeyframe()
          if (codecs.video) await Promise.race([live.sized, clock.sleep(MAX_WAIT)])
          enter(connection)
        },
        onGone() {
          isGone = true
        },
      })
    },
    find: (streamId) => published.get(streamId),
  }
}
