import type { RTCRtpSender } from 'werift'
import type { Counters } from '../insights/measurements.ts'
import type { Size } from '../media/composing/picture.ts'
import type { Kind } from '../media/live/packets.ts'
import { senderCounters } from './counters.ts'
import type { PacketSource } from './live-stream.ts'
import type { Werift } from './load-werift.ts'
import type { Peer } from './peer.ts'
import { createPacketWriter, type PacketWriter } from './rtp/packet-writer.ts'

/** Seconds from 1900, where the time of RTCP begins, to 1970 (RFC 3550, 4). */
const NTP_EPOCH = 2_208_988_800

/** Packets on their way to a peer. */
export interface Forwarding {
  stop(): void
  counters(): Counters
}

/**
 * Sends packets to a peer until it is stopped. Payload type and SSRC become the peer's. `leave` is called
 * when there will be no more. `wants` is the size in which the video is shown.
 */
export function forward(
  werift: Werift,
  source: PacketSource,
  { connection, codecs }: Pick<Peer, 'connection' | 'codecs'>,
  { leave, wants }: { leave(): void; readonly wants?: Size | undefined },
): Forwarding {
  const senders = new Map(
    (['video', 'audio'] as const)
      .filter((kind) => codecs[kind] !== undefined)
      .map((kind): [Kind, RTCRtpSender] => [kind, addSender(kind)]),
  )
  function addSender(kind: Kind): RTCRtpSender {
    const track = new werift.MediaStreamTrack({ kind })
    return connection.addTransceiver(track, { direction: 'sendonly' }).sender
  }
  senders.get('video')?.onPictureLossIndication.subscribe(() => source.requestKeyframe())
  const writers = new Map(
    [...senders].map(([kind, sender]): [Kind, PacketWriter] => [kind, createPacketWriter(werift, sender)]),
  )
  const stop = source.listen({
    onPacket: (kind, packet, time) => writers.get(kind)?.write(packet, ntpOf(time)),
    // Later, so that every listener of the session has heard of the stream's end before its subscribers leave.
    onEnd: () => queueMicrotask(leave),
    wants,
  })
  const count = (kind: Kind) => {
    const sender = senders.get(kind)
    return sender && senderCounters(sender)
  }
  return { stop, counters: () => ({ audio: count('audio'), video: count('video') }) }
}

/** Returns the timestamp of RTCP for milliseconds since the epoch. */
function ntpOf(time: number): bigint {
  const seconds = Math.floor(time / 1000)
  const fraction = Math.floor(((time - seconds * 1000) / 1000) * 2 ** 32)
  return (BigInt(seconds + NTP_EPOCH) << 32n) | BigInt(fraction)
}
