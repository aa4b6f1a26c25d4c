import { CLOCK_RATES, type Kind, type LivePacket, type SenderReport } from './packets.ts'

/** Milliseconds of the window in which the least delay is searched. */
const WINDOW = 10_000
/** Milliseconds by which every packet may be later than the delay that is used. */
const MAX_LATE = 30
/** Milliseconds by which every packet may be earlier: a sender that catches up after its start is not followed. */
const MAX_EARLY = 1_000

/** Maps RTP timestamps to the time at which the sender captured them, on the clock of this machine. */
export interface Timeline {
  /** Records when a packet arrived. */
  arrived(packet: Pick<LivePacket, 'kind' | 'timestamp' | 'at'>): void
  reported(report: SenderReport): void
  /** Returns true once the sender has reported on each kind: from then on, all share one delay. */
  isAligned(): boolean
  /** Returns milliseconds since the epoch for a timestamp near the last one. */
  timeOf(kind: Kind, timestamp: number): number
}

/**
 * Creates the timeline of a stream. The least delay of a packet counts as none. Once the sender has reported on each of the
 * kinds, both share one delay, so that picture and audio are aligned by the sender's clock (RFC 3550, 6.4.1).
 */
export function createTimeline(kinds: readonly Kind[]): Timeline {
  const reports = new Map<Kind, SenderReport>()
  const last = new Map<Kind, number>()
  const arrivals = new Map(kinds.map((kind) => [kind, createDelay()]))
  let shared = createDelay()
  const isAligned = () => kinds.every((kind) => reports.has(kind))

  /** Counts on past 2 ** 32, from the last timestamp of the kind. */
  const unwrap = (kind: Kind, timestamp: number) => {
    const before = last.get(kind) ?? timestamp
    return before + ((timestamp - before) | 0)
  }
  const mediaTime = (kind: Kind, timestamp: number) => (unwrap(kind, timestamp) * 1000) / CLOCK_RATES[kind]
  const senderTime = (kind: Kind, timestamp: number) => {
    const report = reports.get(kind) as SenderReport
    return report.senderTime + ((timestamp - report.timestamp) | 0) / (CLOCK_RATES[kind] / 1000)
  }

  return {
    isAligned,
    arrived({ kind, timestamp, at }) {
      last.set(kind, unwrap(kind, timestamp))
      arrivals.get(kind)?.add(at, at - mediaTime(kind, timestamp))
      if (isAligned()) shared.add(at, at - senderTime(kind, timestamp))
    },
    reported(report) {
      const before = reports.get(report.kind)
      // A sender whose clock was set is measured again.
      if (before && Math.abs(senderTime(report.kind, report.timestamp) - report.senderTime) > 1_000)
        shared = createDelay()
      reports.set(report.kind, report)
    },
    timeOf: (kind, timestamp) =>
      isAligned() && shared.least() !== undefined
        ? senderTime(kind, timestamp) + (shared.least() as number)
        : mediaTime(kind, timestamp) + (arrivals.get(kind)?.least() ?? 0),
  }
}

/**
 * Measures the least delay of the last one or two windows, so that a drift between two clocks is followed. It changes only where
 * it must: each change is a jump in picture and audio.
 */
function createDelay() {
  let [since, now, before] = [0, Infinity, Infinity]
  let delay: number | undefined
  return {
    add(at: number, value: number) {
      if (at - since > WINDOW) [since, now, before] = [at, Infinity, now]
      now = Math.min(now, value)
      const least = Math.min(now, before)
      if (delay === undefined || least - delay > MAX_LATE || delay - least > MAX_EARLY) delay = least
    },
    least: () => delay,
  }
}
