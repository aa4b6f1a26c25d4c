import type { RTCRtpReceiver, RTCRtpSender, RTCStats } from 'werift'
import type { TrackCounters } from '../insights/measurements.ts'

/** Fields of the reports of werift, which has no types for them (W3C, WebRTC statistics). */
interface Report extends RTCStats {
  readonly packetsReceived?: number
  readonly packetsSent?: number
  readonly packetsLost?: number
  readonly bytesReceived?: number
  readonly bytesSent?: number
  /** Seconds, like `roundTripTime`. */
  readonly jitter?: number
  readonly roundTripTime?: number
}

const reportsOf = (track: Pick<RTCRtpReceiver | RTCRtpSender, 'collectStats'>, type: string) =>
  (track.collectStats(0) as Report[]).filter((report) => report.type === type)

const sum = (reports: readonly Report[], read: (report: Report) => number | undefined) =>
  reports.reduce((total, report) => total + (read(report) ?? 0), 0)

/** Returns what a receiver has counted of all layers of a track. Packets that were repaired count as lost. */
export function receiverCounters(receiver: RTCRtpReceiver): TrackCounters {
  const reports = reportsOf(receiver, 'inbound-rtp')
  const lost = sum(reports, ({ packetsLost }) => packetsLost)
  return {
    bytes: sum(reports, ({ bytesReceived }) => bytesReceived),
    expected: sum(reports, ({ packetsReceived }) => packetsReceived) + lost,
    lost,
    jitterMs: toMs(Math.max(0, ...reports.map(({ jitter = 0 }) => jitter))),
  }
}

/** Returns what a sender has counted, and what the other side reports of it. */
export function senderCounters(sender: RTCRtpSender): TrackCounters {
  const sent = reportsOf(sender, 'outbound-rtp')
  const [reported] = reportsOf(sender, 'remote-inbound-rtp')
  return {
    bytes: sum(sent, ({ bytesSent }) => bytesSent),
    expected: sum(sent, ({ packetsSent }) => packetsSent),
    lost: reported?.packetsLost ?? 0,
    latencyMs: reported?.roundTripTime === undefined ? undefined : toMs(reported.roundTripTime / 2),
  }
}

const toMs = (seconds: number) => Math.round(seconds * 1_000_000) / 1_000
