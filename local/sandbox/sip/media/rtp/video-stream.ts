import type { TrackCounters } from '../../../insights/measurements.ts'
import type { VideoCodec } from '../../../media/live/packets.ts'
import type { CallVideo } from '../call-video.ts'
import { isSamePeer, type MediaSockets, type Peer } from '../media-sockets.ts'
import type { VideoAgreement } from '../sdp/negotiation.ts'
import { writeKeyframeRequest } from './feedback.ts'
import { createProtection } from './protection.ts'
import { createReception } from './reception.ts'
import { readRtcp, writeRtcp } from './rtcp.ts'
import { readRtp } from './rtp-packet.ts'

/** The video of one call, which is received only. */
export interface VideoStream {
  /** Applies an offer and its answer; undefined ends the video. */
  agree(agreement: VideoAgreement | undefined): void
  /** Returns counts of what the phone has sent; undefined before its first packet. */
  counters(): TrackCounters | undefined
  /** Sends a goodbye. */
  end(): void
}

const CLOCK_RATE = 90_000
const CHECK_INTERVAL = 1_000
/** Checks between two reports: five seconds on average (RFC 3550, 6.2). */
const REPORT_CHECKS = 5
/** Milliseconds without a packet after which the video has stopped, and after which another source is accepted. */
const MAX_SILENCE = 5_000
const MAX_PAUSE = 1_000
/** Milliseconds between two requests; a keyframe is several times as large as other pictures. */
const MIN_REQUEST_INTERVAL = 500

/** Creates the video of a call. It counts as shown from an agreement on, until no packet has arrived for five seconds. */
export function createVideoStream({
  sockets,
  random,
  video,
}: {
  readonly sockets: MediaSockets
  readonly random: (bytes: number) => Buffer
  readonly video: CallVideo
}): VideoStream {
  const ssrc = random(4).readUInt32BE()
  const name = random(12).toString('base64url')
  const reception = createReception(() => CLOCK_RATE)
  const protection = createProtection(sockets)
  let agreement: VideoAgreement | undefined
  let source: (Peer & { readonly ssrc: number }) | undefined
  let codec: VideoCodec | undefined
  let receivedAt = 0
  let requestedAt = -Infinity
  let requests = 0
  let frames = 0
  let isShown = true
  let checks = 0

  const now = Date.now
  sockets.onRtp((data, from) => {
    if (!agreement || (source && !isSamePeer(source, from) && now() - receivedAt < MAX_PAUSE)) return
    const opened = protection.received.rtp(data)
    const packet = opened && readRtp(opened)
    const format = agreement.formats.find(({ payloadType }) => payloadType === packet?.payloadType)
    if (!packet || !format) return
    ;[source, receivedAt] = [{ ...from, ssrc: packet.ssrc }, now()]
    reception.received(packet, receivedAt)
    if (packet.marker) frames++
    if (!agreement.receives) return
    show(true)
    if (format.codec !== codec) {
      codec = format.codec
      video.begin(codec, requestKeyframe)
    }
    video.take(packet)
  })
  sockets.onRtcp((data) => {
    const opened = agreement && protection.received.rtcp(data)
    if (!opened) return
    for (const report of readRtcp(opened)) {
      reception.reported(report, now())
      if (report.sender && report.ssrc === source?.ssrc) video.report(report.sender.time, report.sender.timestamp)
    }
  })
  const timer = setInterval(() => {
    if (agreement && now() - receivedAt > MAX_SILENCE) show(false)
    if (++checks % REPORT_CHECKS === 0) send()
  }, CHECK_INTERVAL).unref()

  function show(isShownNow: boolean): void {
    if (isShownNow === isShown) return
    isShown = isShownNow
    video.show(isShown)
  }
  function requestKeyframe(): void {
    if (!agreement || !source || now() - requestedAt < MIN_REQUEST_INTERVAL) return
    requestedAt = now()
    send({ request: writeKeyframeRequest(agreement.keyframeRequest, ssrc, source.ssrc, ++requests) })
  }
  /** Sends a report, with a request or the goodbye. */
  function send({ request, isOver = false }: { request?: Buffer; isOver?: boolean } = {}): void {
    if (!agreement) return
    const received = reception.report(now())
    const report = writeRtcp({ ssrc, receptions: received ? [received] : [] }, name, isOver)
    const packet = request ? Buffer.concat([report, request]) : report
    const sealed = protection.sent.rtcp(packet)
    const { isMuxed, rtcpPort } = agreement
    const { address, port } = source ?? agreement
    const to = isMuxed ? port : port === agreement.port ? rtcpPort : port + 1
    if (sealed) sockets.sendRtcp(sealed, { address, port: to }, isMuxed)
  }

  return {
    agree(next) {
      const before = agreement
      agreement = next
      if (!next) {
        source = undefined
        return show(false)
      }
      protection.agree(next)
      if (!before || !isSamePeer(before, next)) source = undefined
      receivedAt = now()
      show(next.receives)
    },
    counters: () => (frames > 0 ? { ...reception.counts(), frames, codec } : undefined),
    end() {
      clearInterval(timer)
      send({ isOver: true })
      protection.close()
    },
  }
}
