import type { MediaStreamTrack, RTCRtpReceiver, RtpPacket } from 'werift'
import type { Clock, Timer } from '../../../../lib/clock.ts'
import type { Size } from '../../media/composing/picture.ts'
import type { SenderReport } from '../../media/live/packets.ts'
import type { Layer } from './layer-switch.ts'

/** The video of a publisher, or one layer of it. */
export interface VideoLayer extends Layer {
  /** Absent before the first packet of a layer. */
  readonly ssrc: number | undefined
  /** Pictures that have arrived. */
  readonly frames: number
  /** The last one of the sender. */
  report?: SenderReport
  /** Records a packet, and the size of the keyframe that it begins. */
  arrived(packet: RtpPacket, size: Size | undefined): void
}

/** Milliseconds; a keyframe is several times as large as other pictures. */
const MIN_REQUEST_INTERVAL = 500

export function createVideoLayer(
  clock: Clock,
  track: MediaStreamTrack,
  receiver: Pick<RTCRtpReceiver, 'sendRtcpPLI'> | undefined,
): VideoLayer {
  let size: Size | undefined
  let arrivedAt = -Infinity
  let requestedAt = -Infinity
  let frames = 0
  let postponed: Timer | undefined

  function sendRequest(): void {
    postponed = undefined
    requestedAt = clock.now()
    if (track.ssrc !== undefined) receiver?.sendRtcpPLI(track.ssrc).catch(() => {}) // the peer is closing
  }
  return {
    get size() {
      return size
    },
    get arrivedAt() {
      return arrivedAt
    },
    get frames() {
      return frames
    },
    get ssrc() {
      return track.ssrc
    },
    arrived({ header }, found) {
      track.ssrc ??= header.ssrc // werift leaves it out for a track with a rid
      arrivedAt = clock.now()
      size = found ?? size
      if (found) {
        postponed?.cancel()
        postponed = undefined
      }
      if (header.marker) frames++
    },
    requestKeyframe() {
      if (track.ssrc === undefined) return
      if (clock.now() - requestedAt >= MIN_REQUEST_INTERVAL) sendRequest()
      else postponed ??= clock.at(requestedAt + MIN_REQUEST_INTERVAL, sendRequest)
    },
  }
}
