const PAYLOAD_FEEDBACK = 206
const PICTURE_LOSS = 1
const FULL_INTRA_REQUEST = 4

/**
 * Writes the request for a keyframe: PLI (RFC 4585, 6.3.1) or FIR (RFC 5104, 4.3.1). It follows a report in its packet.
 * @param count number of requests so far. A repetition of FIR has the same one
 */
export function writeKeyframeRequest(kind: 'pli' | 'fir', own: number, sender: number, count: number): Buffer {
  const isFull = kind === 'fir'
  const packet = Buffer.alloc(isFull ? 20 : 12)
  packet.writeUInt8(0x80 | (isFull ? FULL_INTRA_REQUEST : PICTURE_LOSS), 0)
  packet.writeUInt8(PAYLOAD_FEEDBACK, 1)
  packet.writeUInt16BE(packet.length / 4 - 1, 2)
  packet.writeUInt32BE(own, 4)
  if (isFull) {
    packet.writeUInt32BE(sender, 12)
    packet.writeUInt8(count & 0xff, 16)
  } else packet.writeUInt32BE(sender, 8)
  return packet
}
