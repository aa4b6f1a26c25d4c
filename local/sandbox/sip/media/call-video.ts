import type { VideoCodec } from '../../media/live/packets.ts'
import type { RtpPacket } from './rtp/rtp-packet.ts'

/** The place of the video of a call in its session. */
export interface CallVideo {
  /** Video of a codec follows. `requestKeyframe` asks the phone for a picture that can be decoded alone. */
  begin(codec: VideoCodec, requestKeyframe: () => void): void
  /** Takes a packet of that codec. */
  take(packet: RtpPacket): void
  /** Notes that the phone sends video, or has stopped. At first it is expected to. */
  show(isShown: boolean): void
  /** Takes the phone's time in milliseconds since the epoch, and its timestamp of the same moment. */
  report(time: number, timestamp: number): void
}
