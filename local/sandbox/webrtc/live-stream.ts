import type { RtcpPacket, RtcpSrPacket, RtpPacket } from 'werift'
import type { Clock } from '../../../lib/clock.ts'
import type { Size } from '../media/composing/picture.ts'
import { sizeIn } from '../media/live/frame-assembler.ts'
import type { AudioCodec, Kind, SenderReport, VideoCodec } from '../media/live/packets.ts'
import { createTimeline } from '../media/live/timeline.ts'
import type { Peer } from './peer.ts'

/** Receiver of packets, and of what concerns them. */
export interface PacketListener {
  /** `time` is when its media was captured, in milliseconds since the epoch by the clock of this machine. */
  onPacket(kind: Kind, packet: RtpPacket, time: number): void
  /** Called with the last report of each kind, and with each that follows. */
  onReport?(report: SenderReport): void
  /** Called once, when the stream has ended. */
  onEnd(): void
}

/** Packets that can be forwarded to subscribers. */
export interface PacketSource {
  /** Absent without that track, like `audioCodec`. */
  readonly videoCodec: VideoCodec | undefined
  readonly audioCodec: AudioCodec | undefined
  /** Passes each packet to a listener, until the returned function is called. */
  listen(listener: PacketListener): () => void
  /** Requests a keyframe from the publisher (PLI), at most every half second. */
  requestKeyframe(): void
}

/** The packets of a stream that is published over WebRTC. */
export interface LiveStream extends PacketSource {
  /** Of the last keyframe, or what is assumed before the first. */
  readonly size: Size
  /** Resolves with the first keyframe. */
  readonly sized: Promise<void>
  /** Withholds the audio from every listener. */
  isMuted: boolean
  /** Withholds the video from every listener: the camera is off. */
  isHidden: boolean
  end(): void
}

/** Milliseconds; a keyframe is several times as large as other pictures. */
const MIN_REQUEST_INTERVAL = 500
const DEFAULT_SIZE: Size = { width: 640, height: 480 }
/** Type of an RTCP sender report, and the seconds from 1900, where its time begins, to 1970 (RFC 3550, 6.4.1 and 4). */
const SENDER_REPORT = 200
const NTP_EPOCH = 2_208_988_800

/** Creates a stream of the packets that arrive from a publisher. */
export function createLiveStream(clock: Clock, peer: Peer): LiveStream {
  const listeners = new Set<PacketListener>()
  const reports = new Map<Kind, SenderReport>()
  const kinds = (['video', 'audio'] as const).filter((kind) => peer.codecs[kind] !== undefined)
  const timeline = createTimeline(kinds)
  const { promise: sized, resolve: onSized } = Promise.withResolvers<void>()
  let size = DEFAULT_SIZE
  let requestedAt = -Infinity
  let hasEnded = false
  const stream: LiveStream = {
    videoCodec: peer.codecs.video,
    audioCodec: peer.codecs.audio,
    sized,
    get size() {
      return size
    },
    isMuted: false,
    isHidden: false,
    listen(listener) {
      if (hasEnded) listener.onEnd()
      else {
        listeners.add(listener)
        for (const report of reports.values()) listener.onReport?.(report)
      }
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
    const codec = peer.codecs.video ?? 'VP8'
    track.onReceiveRtp.subscribe((packet) => {
      peer.touch()
      if (kind === 'audio' ? stream.isMuted : stream.isHidden) return
      const found = kind === 'video' ? sizeIn(codec, packet.payload) : undefined
      if (found) {
        size = found
        onSized()
      }
      const { timestamp } = packet.header
      timeline.arrived({ kind, timestamp, at: clock.now() })
      const time = timeline.timeOf(kind, timestamp)
      for (const listener of listeners) listener.onPacket(kind, packet, time)
    })
    peer.transceiver(kind)?.receiver.onRtcp.subscribe((packet) => {
      peer.touch()
      const report = reportIn(kind, packet)
      if (!report) return
      reports.set(kind, report)
      timeline.reported(report)
      for (const listener of listeners) listener.onReport?.(report)
    })
  })
  return stream
}

function reportIn(kind: Kind, packet: RtcpPacket): SenderReport | undefined {
  if (packet.type !== SENDER_REPORT) return undefined
  const { ntpTimestamp, rtpTimestamp } = (packet as RtcpSrPacket).senderInfo
  const seconds = Number(ntpTimestamp >> 32n) - NTP_EPOCH
  const fraction = Number(ntpTimestamp & 0xffff_ffffn) / 2 ** 32
  return { kind, timestamp: rtpTimestamp, senderTime: (seconds + fraction) * 1000 }
}
