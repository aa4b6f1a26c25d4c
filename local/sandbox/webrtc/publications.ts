import type { Clock } from '../../../lib/clock.ts'
import type { Measurements } from '../insights/measurements.ts'
import type { NewStream, Presence } from '../participants/presence.ts'
import type { Ids } from '../state/ids.ts'
import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import { createLiveStream, type LiveStream } from './live-stream.ts'
import type { Werift } from './load-werift.ts'
import { feedMedia } from './media-feed.ts'
import { readOffer } from './offer.ts'
import { type AnsweredPeer, departureReasons, type PeerOwner, type Peers, type PeerUse } from './peers.ts'

/** A stream to publish over WebRTC. Its tracks are those of the offer, also those that are held back at first. */
export type NewPublication = Pick<NewStream, 'name' | 'videoType' | 'layoutClasses' | 'muted' | 'hidden'>

/** A publisher whose offer is answered. The id of its peer is that of its stream. */
export interface WebRtcPublication extends AnsweredPeer {
  /** Resolves when the stream is published; with undefined if its peer ended before. */
  readonly stream: Promise<StreamRecord | undefined>
}

/** The streams that are published over WebRTC. */
export interface WebRtcPublications {
  /** Answers a publisher; its stream exists from its first keyframe on, while it is connected. */
  publish(werift: Werift, owner: PeerOwner, publication: NewPublication, offer: string): Promise<WebRtcPublication>
  /** Returns the packets of a stream; undefined for one that is not published over WebRTC. */
  find(streamId: string): LiveStream | undefined
}

interface Published {
  readonly live: LiveStream
  readonly stream: StreamRecord
  stopMeasuring(): void
}

/** Milliseconds that the size of the video is waited for. A camera that is off sends none. */
const MAX_WAIT = 3_000

export function createWebRtcPublications({
  clock,
  ids,
  presence,
  peers,
  measurements,
}: {
  clock: Clock
  ids: Ids
  presence: Presence
  peers: Peers
  measurements: Pick<Measurements, 'ofStream'>
}): WebRtcPublications {
  /** By stream id. */
  const published = new Map<string, Published>()
  presence.listen({
    onUnpublished({ id }) {
      published.get(id)?.live.end()
      published.get(id)?.stopMeasuring()
      published.delete(id)
      peers.discard(id)
    },
    onChanged(stream) {
      const live = published.get(stream.id)?.live
      if (live) withhold(live, stream)
    },
  })

  return {
    async publish(werift, owner, publication, offer) {
      const offered = readOffer(offer, 'send')
      const codecs = { video: offered.video?.[0], audio: offered.audio?.[0], hasLayers: offered.hasLayers }
      const tracks = { hasAudio: codecs.audio !== undefined, hasVideo: codecs.video !== undefined }
      const { promise: stream, resolve } = Promise.withResolvers<StreamRecord | undefined>()
      const id = ids.uuid()
      let live: LiveStream
      let isGone = false
      function enter(connection: ConnectionRecord): void {
        if (isGone) return
        const source = feedMedia(clock, live)
        const stream = presence.publish(connection, { ...publication, id, ...tracks, source })
        withhold(live, stream)
        published.set(id, { live, stream, stopMeasuring: measurements.ofStream(stream, live.counters) })
        resolve(stream)
      }
      const use: PeerUse = {
        onPeer(peer) {
          live = createLiveStream(clock, peer)
        },
        async onConnected(connection) {
          live.requestKeyframe()
          if (codecs.video && !publication.hidden) await Promise.race([live.sized, clock.sleep(MAX_WAIT)])
          enter(connection)
        },
        onGone(end) {
          isGone = true
          resolve(undefined)
          const { stream } = published.get(id) ?? {}
          if (stream && end) presence.unpublish(stream, departureReasons[end])
        },
      }
      return { ...(await peers.open(werift, owner, codecs, offer, use, id)), stream }
    },
    find: (streamId) => published.get(streamId)?.live,
  }
}

/** Withholds the tracks of a stream that are muted or hidden. */
function withhold(live: LiveStream, { muted = false, hidden = false }: StreamRecord): void {
  live.isMuted = muted
  const isShownAgain = live.isHidden && !hidden
  live.isHidden = hidden
  if (isShownAgain) live.requestKeyframe()
}
