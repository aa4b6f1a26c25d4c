import type { RtpPacket } from 'werift'
import type { Clock } from '../../../lib/clock.ts'
import type { AudioCodec, VideoCodec } from './offer.ts'
import type { Peer } from './peer.ts'

export type Kind = 'audio' | 'video'

/** What a listener of a stream receives. */
export interface PacketListener {
  onPacket(kind: Kind, packet: RtpPacket): void
  /** Called once, when the stream has ended. */
  onEnd(): void
}

/** The packets of a stream that is published over WebRTC. */
export interface LiveStream {
  readonly videoCodec: VideoCodec | undefined
  readonly audioCodec: AudioCodec | undefined
  /** Withholds the audio from every listener. */
  isMuted: boolean
  /** Passes each packet to a listener, until the returned function is called. */
  listen(listener: PacketListener): () => void
  /** Requests a keyframe from the publisher (PLI), at most every half second. */
  requestKeyframe(): void
  end(): void
}

/** Milliseconds; a keyframe is several times as large as other pictures. */
const MIN_REQUEST_INTERVAL = 500

/** Creates a stream of the packets that arrive from a publisher. */
export function createLiveStream(clock: Clock, peer: Peer): LiveStream {
  const listeners = new Set<PacketListener>()
  let requestedAt = -Infinity
  let hasEnded = false
  const stream: LiveStream = {
    videoCodec: peer.codecs.video,
    audioCodec: peer.codecs.audio,
    isMuted: false,
    listen(listener) {
      if (hasEnded) listener.onEnd()
      else listeners.add(listener)
      return () => listeners.delete(listener)
    },
    requestKeyframe() {
      if (clock.now() - requestedAt < MIN_REQUEST_INTERVAL) return
      requestedAt = clock.now()
      const receiver = peer.transceiver('video')?.receiver
      for (const { ssrc } of receiver?.tracks ?? []) {
        if (ssrc !== undefined) receiver?.sendRtcpPLI(ssrc).catch(() => {}) // the peer is closing
      }
    },
    end() {
      hasEnded = true
      for (const listener of listeners) listener.onEnd()
      listeners.clear()
    },
  }
  peer.connection.onTrack.subscribe((track) => {
    const kind = track.kind as Kind
    track.onReceiveRtp.subscribe((packet) => {
      peer.touch()
      if (kind === 'audio' && stream.isMuted) return
      for (const listener of listeners) listener.onPacket(kind, packet)
    })
  })
  return stream
}
