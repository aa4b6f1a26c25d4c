/** The payload types and codecs of every peer of the bench. */
export const PAYLOAD_TYPES = { video: 96, audio: 111 } as const

/** Identifier of the header extension of transport-wide congestion control, which browsers send in each packet. */
const TWCC_ID = 3
const TWCC_URI = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01'
export const TWCC_EXTMAP = `extmap:${TWCC_ID} ${TWCC_URI}`

const HEADER = 20
/** The stamp: a mark and the time in nanoseconds, in the last bytes of a packet. */
const MARK = 0x6c617465
const STAMP = 12

export interface PacketFields {
  readonly payloadType: number
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  /** Number of the packet among all of its peer. */
  readonly transportSequence: number
  readonly payload: Uint8Array
}

/**
 * Returns an RTP packet (RFC 3550, 5.1) that ends with the time of its creation. The decoder of VP8 ignores bytes
 * after the last partition. Linux counts `process.hrtime` from one start in all processes.
 */
export function stampedPacket(fields: PacketFields): Buffer {
  const packet = Buffer.allocUnsafe(HEADER + fields.payload.length + STAMP)
  packet[0] = 0x90
  packet[1] = fields.payloadType | (fields.marker ? 0x80 : 0)
  packet.writeUInt16BE(fields.sequence, 2)
  packet.writeUInt32BE(fields.timestamp, 4)
  packet.writeUInt32BE(fields.ssrc, 8)
  packet.writeUInt32BE(0xbede0001, 12) // one-byte header extensions (RFC 8285), one word
  packet[16] = (TWCC_ID << 4) | 1
  packet.writeUInt16BE(fields.transportSequence, 17)
  packet[19] = 0
  packet.set(fields.payload, HEADER)
  packet.writeUInt32BE(MARK, packet.length - STAMP)
  packet.writeBigUInt64BE(process.hrtime.bigint(), packet.length - STAMP + 4)
  return packet
}

/** Returns the milliseconds since a packet was stamped; undefined for one without a stamp. */
export function ageOf(packet: Buffer): number | undefined {
  if (packet.length < STAMP || packet.readUInt32BE(packet.length - STAMP) !== MARK) return undefined
  return Number(process.hrtime.bigint() - packet.readBigUInt64BE(packet.length - STAMP + 4)) / 1e6
}

/** A packet as a subscriber reads it. */
export interface ReadPacket {
  readonly payloadType: number
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly payload: Buffer
}

export function readPacket(packet: Buffer): ReadPacket {
  const [first = 0, second = 0] = packet
  const fixed = 12 + 4 * (first & 0x0f)
  const length = first & 0x10 ? fixed + 4 + 4 * packet.readUInt16BE(fixed + 2) : fixed
  return {
    payloadType: second & 0x7f,
    marker: (second & 0x80) !== 0,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    payload: packet.subarray(length),
  }
}

/** Returns true for RTCP, which shares the port (RFC 5761, 4). */
export const isRtcp = (packet: Buffer): boolean => {
  const type = packet[1] ?? 0
  return type >= 192 && type <= 223
}
