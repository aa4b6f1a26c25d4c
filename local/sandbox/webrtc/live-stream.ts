import type { MediaStreamTrack, RtcpPacket, RtcpSrPacket, RtpPacket } from 'werift'
import type { Clock } from '../../../lib/clock.ts'
import type { Counters } from '../insights/measurements.ts'
import type { Size } from '../media/composing/picture.ts'
import { sizeIn } from '../media/live/frame-assembler.ts'
import type { AudioCodec, Kind, SenderReport, VideoCodec } from '../media/live/packets.ts'
import { createTimeline, type Timeline } from '../media/live/timeline.ts'
import { receiverCounters } from './counters.ts'
import { createLayerSwitch, type LayerSwitch } from './layers/layer-switch.ts'
import { createVideoLayer, type VideoLayer } from './layers/video-layer.ts'
import type { Peer } from './peer.ts'

/** Receiver of packets, and of what concerns them. */
export interface PacketListener {
  /** `time` is when its media was captured, in milliseconds since the epoch by the clock of this machine. */
  onPacket(kind: Kind, packet: RtpPacket, time: number): void
  /** Called with the last report of each kind, and with each that follows. */
  onReport?(report: SenderReport): void
  /** Called with the largest size of several layers, and when it changes. */
  onSize?(size: Size): void
  /** Called once, when the stream has ended. */
  onEnd(): void
  /** Size in which the video is shown, which may change. A layer is selected by it. @default the largest */
  readonly wants?: Size | undefined
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
  /** The largest of the last keyframes, or what is assumed before the first. */
  readonly size: Size
  /** Resolves with the first keyframe. */
  readonly sized: Promise<void>
  /** True if its video is sent in several sizes at once (simulcast): each listener gets one of them. */
  readonly hasLayers: boolean
  /** Withholds the audio from every listener. */
  isMuted: boolean
  /** Withholds the video from every listener: the camera is off. */
  isHidden: boolean
  counters(): Counters
  end(): void
}

const DEFAULT_SIZE: Size = { width: 640, height: 480 }
/** Type of an RTCP sender report, and the seconds from 1900, where its time begins, to 1970 (RFC 3550, 6.4.1 and 4). */
const SENDER_REPORT = 200
const NTP_EPOCH = 2_208_988_800

/** Creates a stream of the packets that arrive from a publisher. */
export function createLiveStream(clock: Clock, peer: Peer): LiveStream {
  const codec = peer.codecs.video ?? 'VP8'
  const kinds = (['video', 'audio'] as const).filter((kind) => peer.codecs[kind] !== undefined)
  const listeners = new Map<PacketListener, LayerSwitch<VideoLayer>>()
  const { promise: sized, resolve: onSized } = Promise.withResolvers<void>()
  let layers: readonly VideoLayer[] = []
  /** One for each layer, whose timestamps begin at different values. Audio is on each of them. */
  let timelines: readonly Timeline[] = [createTimeline(kinds)]
  let audioReport: SenderReport | undefined
  let size = DEFAULT_SIZE
  let hasEnded = false

  const hasLayers = () => layers.length > 1
  const now = () => clock.now()
  const stream: LiveStream = {
    videoCodec: peer.codecs.video,
    audioCodec: peer.codecs.audio,
    sized,
    get size() {
      return size
    },
    get hasLayers() {
      return hasLayers()
    },
    isMuted: false,
    isHidden: false,
    listen(listener) {
      if (hasEnded) listener.onEnd()
      else {
        const wants = () => listener.wants
        listeners.set(
          listener,
          createLayerSwitch(codec, () => layers, wants, now),
        )
        const video = hasLayers() ? undefined : layers[0]?.report
        for (const report of [video, audioReport]) if (report) listener.onReport?.(report)
        if (hasLayers()) listener.onSize?.(size)
      }
      return () => listeners.delete(listener)
    },
    requestKeyframe() {
      const seen = [...listeners.values()].flatMap(({ current }) => current ?? [])
      const used = layers.filter((layer) => seen.includes(layer))
      for (const layer of used.length > 0 ? used : layers) layer.requestKeyframe()
    },
    counters() {
      const read = (kind: Kind) => {
        const receiver = kinds.includes(kind) ? peer.transceiver(kind)?.receiver : undefined
        return receiver && receiverCounters(receiver)
      }
      const video = read('video')
      const frames = Math.max(0, ...layers.map((layer) => layer.frames))
      return {
        audio: read('audio'),
        video: video && { ...video, frames },
        videoResolution: video && `${size.width}x${size.height}`,
      }
    },
    end() {
      hasEnded = true
      for (const listener of listeners.keys()) listener.onEnd()
      listeners.clear()
    },
  }

  function takeAudio(packet: RtpPacket): void {
    if (stream.isMuted) return
    for (const timeline of timelines) note(timeline, 'audio', packet)
    const time = (timelines[0] as Timeline).timeOf('audio', packet.header.timestamp)
    for (const listener of listeners.keys()) listener.onPacket('audio', packet, time)
  }
  function takeVideo(layer: VideoLayer, timeline: Timeline, packet: RtpPacket): void {
    if (stream.isHidden) return
    const found = sizeIn(codec, packet.payload)
    layer.arrived(packet, found)
    if (found) noteSize()
    note(timeline, 'video', packet)
    const time = timeline.timeOf('video', packet.header.timestamp)
    for (const [listener, layerSwitch] of listeners) {
      const taken = hasLayers() ? takeLayer(listener, layerSwitch, layer, packet, found !== undefined) : packet
      if (taken) listener.onPacket('video', taken, time)
    }
  }
  function takeLayer(
    listener: PacketListener,
    layerSwitch: LayerSwitch<VideoLayer>,
    layer: VideoLayer,
    packet: RtpPacket,
    isKeyframe: boolean,
  ): RtpPacket | undefined {
    const before = layerSwitch.current
    const taken = layerSwitch.take(layer, packet, isKeyframe)
    const report = layer.report && layerSwitch.current !== before && layerSwitch.translate(layer, layer.report)
    if (report) listener.onReport?.(report)
    return taken
  }
  const note = (timeline: Timeline, kind: Kind, { header: { timestamp } }: RtpPacket) =>
    timeline.arrived({ kind, timestamp, at: now() })

  function noteSize(): void {
    const areas = layers.flatMap((layer) => layer.size ?? []).sort((a, b) => b.width * b.height - a.width * a.height)
    const largest = areas[0] ?? size
    const isChanged = largest.width !== size.width || largest.height !== size.height
    size = largest
    onSized()
    if (isChanged && hasLayers()) for (const listener of listeners.keys()) listener.onSize?.(size)
  }
  function takeReport(kind: Kind, packet: RtcpPacket): void {
    const report = reportIn(kind, packet)
    if (!report) return
    if (kind === 'audio') {
      audioReport = report
      for (const timeline of timelines) timeline.reported(report)
      for (const listener of listeners.keys()) listener.onReport?.(report)
      return
    }
    const index = hasLayers() ? layers.findIndex(({ ssrc }) => ssrc === (packet as RtcpSrPacket).ssrc) : 0
    const layer = layers[index]
    if (!layer) return
    layer.report = report
    timelines[index]?.reported(report)
    for (const [listener, layerSwitch] of listeners) {
      const translated = hasLayers() ? layerSwitch.translate(layer, report) : report
      if (translated) listener.onReport?.(translated)
    }
  }
  function follow(first: MediaStreamTrack): void {
    const kind = first.kind as Kind
    const receiver = peer.transceiver(kind)?.receiver
    const tracks = receiver?.tracks.length ? receiver.tracks : [first]
    const own = tracks.map((track) => createVideoLayer(clock, track, receiver))
    if (kind === 'video') {
      layers = own
      timelines = own.map((_, index) => timelines[index] ?? createTimeline(kinds))
    }
    for (const [index, track] of tracks.entries())
      track.onReceiveRtp.subscribe((packet) => {
        peer.touch()
        if (kind === 'audio') takeAudio(packet)
        else takeVideo(own[index] as VideoLayer, timelines[index] as Timeline, packet)
      })
    receiver?.onRtcp.subscribe((packet) => {
      peer.touch()
      takeReport(kind, packet)
    })
  }
  peer.connection.onTrack.subscribe(follow)
  return stream
}

function reportIn(kind: Kind, packet: RtcpPacket): SenderReport | undefined {
  if (packet.type !== SENDER_REPORT) return undefined
  const { ntpTimestamp, rtpTimestamp } = (packet as RtcpSrPacket).senderInfo
  const seconds = Number(ntpTimestamp >> 32n) - NTP_EPOCH
  const fraction = Number(ntpTimestamp & 0xffff_ffffn) / 2 ** 32
  return { kind, timestamp: rtpTimestamp, senderTime: (seconds + fraction) * 1000 }
}
