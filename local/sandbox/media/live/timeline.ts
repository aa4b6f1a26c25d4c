import { CLOCK_RATES, type Kind, type LivePacket, type SenderReport } from './packets.ts'

/** How the least of some values is followed, in milliseconds. */
interface Following {
  /** Window in which the least is searched. */
  readonly window: number
  /** Values may all be later than the one that is used by this much. */
  readonly maxLate: number
  /** Values may be earlier by this much. */
  readonly maxEarly: number
}

/** A sender that a busy machine delays at its start is followed when it catches up: else it stays behind the others. */
const PACKETS: Following = { window: 10_000, maxLate: 30, maxEarly: 50 }
/**
 * Chromium reports on audio about every five seconds, so that two or three reports count: one that is late is passed over,
 * while audio that a busy browser has dropped, which shifts all that follows, is soon followed.
 */
const REPORTS: Following = { window: 5_000, maxLate: 5, maxEarly: 3 }
/** Milliseconds by which a report may differ from those before it. */
const MAX_CLOCK_SHIFT = 1_000

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
 * kinds, both share one delay, so that picture and audio are aligned by the sender's clock (RFC 3550, 6.4.1). The earliest
 * of the last reports counts, since a sender may note the time after it has captured the media.
 */
export function createTimeline(kinds: readonly Kind[]): Timeline {
  const reported = new Map<Kind, Least>()
  const last = new Map<Kind, number>()
  const arrivals = new Map(kinds.map((kind) => [kind, createLeast(PACKETS)]))
  let shared = createLeast(PACKETS)
  const isAligned = () => kinds.every((kind) => reported.has(kind))

  /** Counts on past 2 ** 32, from the last timestamp of the kind. */
  const unwrap = (kind: Kind, timestamp: number) => {
    const before = last.get(kind) ?? timestamp
    return before + ((timestamp - before) | 0)
  }
  const mediaTime = (kind: Kind, timestamp: number) => (unwrap(kind, timestamp) * 1000) / CLOCK_RATES[kind]
  const senderTime = (kind: Kind, timestamp: number) => mediaTime(kind, timestamp) + (reported.get(kind)?.value() ?? 0)

  return {
    isAligned,
    arrived({ kind, timestamp, at }) {
      last.set(kind, unwrap(kind, timestamp))
      arrivals.get(kind)?.add(at, at - mediaTime(kind, timestamp))
      if (isAligned()) shared.add(at, at - senderTime(kind, timestamp))
    },
    reported(report) {
      const { kind, timestamp } = report
      if (!last.has(kind)) last.set(kind, timestamp)
      const offset = report.senderTime - mediaTime(kind, timestamp)
      const before = reported.get(kind)?.value()
      if (before === undefined || Math.abs(offset - before) > MAX_CLOCK_SHIFT) {
        reported.set(kind, createLeast(REPORTS))
        shared = createLeast(PACKETS)
      }
      reported.get(kind)?.add(report.senderTime, offset)
    },
    timeOf(kind, timestamp) {
      const delay = isAligned() ? shared.value() : undefined
      return delay === undefined
        ? mediaTime(kind, timestamp) + (arrivals.get(kind)?.value() ?? 0)
        : senderTime(kind, timestamp) + delay
    },
  }
}

type Least = ReturnType<typeof createLeast>

/**
 * Follows the least of the last one or two windows, so that a drift between two clocks is followed. It changes only where
 * it must: each change is a jump in picture and audio.
 */
function createLeast({ window, maxLate, maxEarly }: Following) {
  let [since, now, before] = [-Infinity, Infinity, Infinity]
  let used: number | undefined
  return {
    add(at: number, value: number) {
      if (at - since > window) [since, now, before] = [at, Infinity, now]
      now = Math.min(now, value)
      const least = Math.min(now, before)
      if (used === undefined || least - used > maxLate || used - least > maxEarly) used = least
    },
    value: () => used,
  }
}
