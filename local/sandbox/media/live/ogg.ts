import type { Readable } from 'node:stream'

/** Flags of a page (RFC 3533, 6). */
const FIRST_PAGE = 2
/** Of the polynomial 0x04c11db7, most significant bit first, as Ogg checks its pages. */
const CRC = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1
  return value >>> 0
})

/** Writes Opus packets as an Ogg stream (RFC 7845), one packet per page. */
export interface OggWriter {
  /** The two pages that come first. */
  readonly headers: Buffer
  /** @param end the place of the packet's end, in samples at 48 kHz */
  page(packet: Uint8Array, end: number): Buffer
}

export function createOggWriter(): OggWriter {
  let sequence = 0
  const write = (packet: Uint8Array, end: number, flags = 0): Buffer => {
    const lacing = [...Array<number>(Math.floor(packet.length / 255)).fill(255), packet.length % 255]
    const page = Buffer.alloc(27 + lacing.length + packet.length)
    page.write('OggS', 'latin1')
    page[5] = flags
    page.writeBigInt64LE(BigInt(end), 6)
    page.writeUInt32LE(1, 14) // serial number
    page.writeUInt32LE(sequence++, 18)
    page[26] = lacing.length
    page.set(lacing, 27)
    page.set(packet, 27 + lacing.length)
    page.writeUInt32LE(checksum(page), 22)
    return page
  }
  const head = Buffer.from('OpusHead\x01\x02\0\0\x80\xbb\0\0\0\0\0', 'latin1') // version 1, stereo, no pre-skip, 48 kHz
  const tags = Buffer.from('OpusTags\0\0\0\0\0\0\0\0', 'latin1')
  return { headers: Buffer.concat([write(head, 0, FIRST_PAGE), write(tags, 0)]), page: write }
}

/** Bytes of a page before the lengths of its segments. */
const PAGE_HEADER = 27
/** Packets before the first one with audio: `OpusHead` and `OpusTags` (RFC 7845, 3). */
const HEADER_PACKETS = 2

/**
 * Calls `onPacket` with each Opus packet of an Ogg stream.
 * @param onPacket receives the place of the packet's first sample at 48 kHz; the pre-skip is at negative places
 */
export function readOgg(stream: Readable, onPacket: (packet: Uint8Array, place: number) => void): void {
  let held = Buffer.alloc(0)
  let parts: Uint8Array[] = []
  let packets = 0
  let place = 0
  const take = (packet: Buffer) => {
    if (packets === 0) place = -packet.readUInt16LE(10) // the pre-skip
    if (packets++ < HEADER_PACKETS) return
    onPacket(packet, place)
    place += opusSamples(packet)
  }
  stream.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const count = held[PAGE_HEADER - 1]
      const lengths = held.subarray(PAGE_HEADER, PAGE_HEADER + (count ?? 0))
      const size = PAGE_HEADER + lengths.length + lengths.reduce((sum, length) => sum + length, 0)
      if (count === undefined || lengths.length < count || held.length < size) return
      let start = PAGE_HEADER + count
      for (const length of lengths) {
        parts.push(held.subarray(start, start + length))
        start += length
        if (length === 255) continue // the packet continues in the next segment
        take(Buffer.concat(parts))
        parts = []
      }
      held = held.subarray(size)
    }
  })
}

function checksum(page: Uint8Array): number {
  let value = 0
  for (const byte of page) value = ((value << 8) ^ (CRC[((value >>> 24) ^ byte) & 0xff] as number)) >>> 0
  return value
}

/** Returns how many samples at 48 kHz an Opus packet holds (RFC 6716, 3.1). */
export function opusSamples(packet: Uint8Array): number {
  const [toc = 0, second = 0] = packet
  const config = toc >> 3
  const [silk, hybrid] = [
    [480, 960, 1920, 2880],
    [480, 960],
  ]
  const perFrame = config < 12 ? silk[config & 3] : config < 16 ? hybrid[config & 1] : 120 * 2 ** (config & 3)
  const code = toc & 3
  return (perFrame as number) * (code === 0 ? 1 : code === 3 ? second & 0x3f : 2)
}
