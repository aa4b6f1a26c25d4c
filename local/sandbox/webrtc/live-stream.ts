import type { RtpPacket } from 'werift'
import type { AudioCodec, VideoCodec } from './offer.ts'
import type { Peer } from './peer.ts'

export type Kind = 'audio' | 'video'
export type PacketListener = (kind: Kind, packet: RtpPacket) => void

/** The packets of a stream that is published over WebRTC. */
export interface LiveStream {
  readonly videoCodec: VideoCodec | undefined
  readonly audioCodec: AudioCodec | undefined
  /** Withholds the audio from every listener. */
  isMuted: boolean
  /** Calls a listener with each packet, until the returned function is called. */
  listen(listener: PacketListener): () => void
  /** Asks the publisher for a picture that can be decoded alone. */
  requestKeyframe(): void
}

/** Creates a stream of the packets that arrive from a publisher. */
export function createLiveStream(
  peer: Peer,
  codecs: { readonly video?: VideoCodec | undefined; readonly audio?: AudioCodec | undefined },
): LiveStream {
  const listeners = new Set<PacketListener>()
  const stream: LiveStream = {
    videoCodec: codecs.video,
    audioCodec: codecs.audio,
    isMuted: false,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    requestKeyframe() {
      const receiver = peer.transceiver('video')?.receiver
      for (const { ssrc } of receiver?.tracks ?? []) {
        if (ssrc !== undefined) receiver?.sendRtcpPLI(ssrc).catch(() => {}) // the peer is closing
      }
    },
  }
  peer.connection.onTrack.subscribe((track) => {
    const kind = track.kind as Kind
    track.onReceiveRtp.subscribe((packet) => {
      peer.touch()
      if (kind === 'audio' && stream.isMuted) return
      for (const listener of listeners) listener(kind, packet)
    })
  })
  return stream
}
