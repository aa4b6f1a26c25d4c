import type { RTCPeerConnection, RTCRtpReceiver, RtpPacket } from 'werift'
import type { Clock, Timer } from '../../../../lib/clock.ts'
import { createLostPackets, type LostPackets } from './lost-packets.ts'

/** Milliseconds between two checks while packets are missing. */
const INTERVAL = 10

type Werift = Pick<typeof import('werift'), 'GenericNack' | 'RtcpTransportLayerFeedback'>

/** The part of a receiver of the library that counts packets, and which its types do not show. */
interface Counting {
  nack: { addPacket(packet: RtpPacket): void }
}

/** Requests lost packets of a peer's video again (NACK, RFC 4585). */
export interface RetransmissionRequests {
  /** Counts the packets of every receiver that negotiated it, each layer apart. The library counts all layers as one. */
  collect(): void
  stop(): void
}

export function createRetransmissionRequests(
  werift: Werift,
  clock: Clock,
  connection: RTCPeerConnection,
): RetransmissionRequests {
  const streams = new Map<number, { readonly receiver: RTCRtpReceiver; readonly lost: LostPackets }>()
  let timer: Timer | undefined
  let isStopped = false

  function arrived(receiver: RTCRtpReceiver, ssrc: number, sequence: number): void {
    const { lost } = streams.get(ssrc) ?? { lost: createLostPackets() }
    if (!streams.has(ssrc)) streams.set(ssrc, { receiver, lost })
    lost.arrived(sequence, clock.now())
    if (lost.count > 0 && !isStopped) timer ??= clock.at(clock.now() + INTERVAL, check)
  }
  function check(): void {
    timer = undefined
    let count = 0
    for (const [ssrc, { receiver, lost }] of streams) {
      const due = lost.due(clock.now())
      if (due.length > 0) request(receiver, ssrc, due)
      count += lost.count
    }
    if (count > 0) timer = clock.at(clock.now() + INTERVAL, check)
  }
  function request(receiver: RTCRtpReceiver, mediaSourceSsrc: number, lost: number[]): void {
    const feedback = new werift.GenericNack({ senderSsrc: receiver.rtcpSsrc, mediaSourceSsrc, lost })
    const message = new werift.RtcpTransportLayerFeedback({ feedback })
    receiver.dtlsTransport.sendRtcp([message]).catch(() => {}) // the peer is closing
  }

  return {
    collect() {
      for (const receiver of connection.getReceivers())
        (receiver as unknown as Counting).nack.addPacket = ({ header }) =>
          arrived(receiver, header.ssrc, header.sequenceNumber)
    },
    stop() {
      isStopped = true
      timer?.cancel()
    },
  }
}
