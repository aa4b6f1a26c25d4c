/** Quality of a connection: `good`, `fair` (disturbed now and then) or `poor`. */
export type QualityLevel = 'good' | 'fair' | 'poor'

/** Quality of the last interval, measured where the media arrives. */
export interface MeasuredQuality {
  readonly level: QualityLevel
  /** Share of lost packets, 0 to 1. */
  readonly loss: number
  /** Seconds; absent while it is not measured. */
  readonly roundTripTime?: number | undefined
  /** Kilobits per second of audio and video. */
  readonly bitrate: number
  /** Pictures per second that are sent or shown; absent without video. */
  readonly frameRate?: number | undefined
}

/** From this loss, and from these seconds of round trip on, a connection is fair or poor. */
const [FAIR_LOSS, POOR_LOSS] = [0.02, 0.08]
const [FAIR_ROUND_TRIP, POOR_ROUND_TRIP] = [0.25, 0.6]

interface Counters {
  at: number
  bytes: number
  packets: number
  lost: number
}

/** Returns a function that measures the quality since its last call from the statistics of one peer connection. */
export function createQualityMeter(): (stats: RTCStatsReport) => MeasuredQuality | undefined {
  let before: Counters | undefined
  return (report) => {
    const stats = [...report.values()]
    const of = (type: string) => stats.filter((one) => one.type === type)
    const sum = (type: string, field: string) => of(type).reduce((total, one) => total + (one[field] ?? 0), 0)
    const now: Counters = {
      at: stats[0]?.timestamp ?? 0,
      bytes: sum('inbound-rtp', 'bytesReceived') + sum('outbound-rtp', 'bytesSent'),
      packets: sum('inbound-rtp', 'packetsReceived') + sum('outbound-rtp', 'packetsSent'),
      lost: sum('inbound-rtp', 'packetsLost') + sum('remote-inbound-rtp', 'packetsLost'),
    }
    const last = before
    before = now
    if (!last || now.at <= last.at) return undefined
    const lost = Math.max(0, now.lost - last.lost)
    const packets = Math.max(0, now.packets - last.packets)
    const isSender = of('outbound-rtp').length > 0
    const sent = isSender ? packets : packets + lost // what a sender has sent includes what was lost
    const loss = sent === 0 ? 0 : Math.min(1, lost / sent)
    const roundTripTime = of('candidate-pair').find((pair) => pair.nominated)?.currentRoundTripTime
    const frameRate = [...of('inbound-rtp'), ...of('outbound-rtp')].find(
      ({ kind }) => kind === 'video',
    )?.framesPerSecond
    return {
      level: levelOf(loss, roundTripTime ?? 0),
      loss,
      bitrate: Math.round((8 * Math.max(0, now.bytes - last.bytes)) / (now.at - last.at)),
      ...(roundTripTime !== undefined && { roundTripTime }),
      ...(frameRate !== undefined && { frameRate }),
    }
  }
}

function levelOf(loss: number, roundTripTime: number): QualityLevel {
  if (loss >= POOR_LOSS || roundTripTime >= POOR_ROUND_TRIP) return 'poor'
  return loss >= FAIR_LOSS || roundTripTime >= FAIR_ROUND_TRIP ? 'fair' : 'good'
}
