/** An RTP packet (RFC 3550, 5.1). */
export interface RtpPacket {
  readonly payloadType: number
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  readonly payload: Uint8Array
}

/** Bytes of the fixed header. */
const HEADER_BYTES = 12
const VERSION_2 = 0x80

export function writeRtp({ payloadType, marker, sequence, timestamp, ssrc, payload }: RtpPacket): Buffer {
  const packet = Buffer.allocUnsafe(HEADER_BYTES + payload.length)
  packet[0] = VERSION_2
  packet[1] = (marker ? 0x80 : 0) | payloadType
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(timestamp, 4)
  packet.writeUInt32BE(ssrc, 8)
  packet.set(payload, HEADER_BYTES)
  return packet
}

/** Returns the bytes of the header with its sources and extension; undefined if the packet is not RTP. */
export function headerBytesOf(packet: Buffer): number | undefined {
  if (packet.length < HEADER_BYTES || packet.readUInt8(0) >> 6 !== 2) return undefined
  const first = packet.readUInt8(0)
  const sources = HEADER_BYTES + 4 * (first & 0x0f)
  if (!(first & 0x10)) return sources <= packet.length ? sources : undefined
  if (packet.length < sources + 4) return undefined
  const bytes = sources + 4 + 4 * packet.readUInt16BE(sources + 2)
  return bytes <= packet.length ? bytes : undefined
}

/** Reads a packet; undefined if it is not RTP. */
export function readRtp(packet: Buffer): RtpPacket | undefined {
  const start = headerBytesOf(packet)
  if (start === undefined) return undefined
  const padding = packet.readUInt8(0) & 0x20 ? packet.readUInt8(packet.length - 1) : 0
  const end = packet.length - padding
  if (end < start) return undefined
  return {
    payloadType: packet.readUInt8(1) & 0x7f,
    marker: (packet.readUInt8(1) & 0x80) !== 0,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    payload: packet.subarray(start, end),
  }
}
