import { middleOf, type ReceptionReport, type Report } from './rtcp.ts'
import type { RtpPacket } from './rtp-packet.ts'

/** Counts of the packets that one source has sent, as RTCP reports them (RFC 3550, A.3 and A.8). */
export interface Reception {
  /** @param at milliseconds since the epoch */
  received(packet: Pick<RtpPacket, 'sequence' | 'timestamp' | 'ssrc' | 'payload'>, at: number): void
  /** Notes the source's own report. */
  reported(report: Report, at: number): void
  /** Returns the report to send; undefined before the first packet. Losses count from the report before. */
  report(now: number): ReceptionReport | undefined
  counts(): { readonly bytes: number; readonly expected: number; readonly lost: number; readonly jitterMs: number }
}

export function createReception(clockRate: () => number): Reception {
  let ssrc: number | undefined
  let first = 0
  let highest = 0
  let packets = 0
  let bytes = 0
  let jitter = 0
  let transit: number | undefined
  let before = { expected: 0, packets: 0 }
  let lastReport: { readonly time: number; readonly at: number } | undefined
  const expected = () => (packets === 0 ? 0 : highest - first + 1)

  return {
    received({ sequence, timestamp, ssrc: source, payload }, at) {
      if (source !== ssrc) {
        ssrc = source
        first = sequence
        highest = sequence
        ;[packets, bytes, jitter, transit, lastReport] = [0, 0, 0, undefined, undefined]
        before = { expected: 0, packets: 0 }
      }
      highest = Math.max(highest, highest + (((sequence - highest + 0x8000) & 0xffff) - 0x8000))
      packets++
      bytes += payload.length
      const arrival = (at * clockRate()) / 1000
      const now = (arrival - timestamp) % 2 ** 32
      if (transit !== undefined) jitter += (Math.abs(wrapped(now - transit)) - jitter) / 16
      transit = now
    },
    reported({ ssrc: source, sender }, at) {
      if (sender && source === ssrc) lastReport = { time: sender.time, at }
    },
    report(now) {
      if (ssrc === undefined || packets === 0) return undefined
      const expectedSince = expected() - before.expected
      const lostSince = expectedSince - (packets - before.packets)
      before = { expected: expected(), packets }
      return {
        ssrc,
        fractionLost: expectedSince > 0 ? Math.max(0, lostSince / expectedSince) : 0,
        lost: expected() - packets,
        highest,
        jitter,
        lastReport: lastReport ? middleOf(lastReport.time) : 0,
        delay: lastReport ? ((now - lastReport.at) * 65_536) / 1000 : 0,
      }
    },
    counts: () => ({
      bytes,
      expected: expected(),
      lost: Math.max(0, expected() - packets),
      jitterMs: (jitter * 1000) / clockRate(),
    }),
  }
}

/** Returns a difference of values that count to 2 ** 32. */
const wrapped = (difference: number) => difference - Math.round(difference / 2 ** 32) * 2 ** 32
