import { box, fullBox, i64, u16, u32 } from './boxes.ts'
import type { PacketTable } from './packet-table.ts'

export interface AacTrack {
  /** In hertz. */
  readonly sampleRate: number
  readonly channels: number
  /** How the packets are to be decoded (AudioSpecificConfig, ISO/IEC 14496-3, 1.6.2.1). */
  readonly configuration: Uint8Array
  /** Ticks in a second. */
  readonly timescale: number
  /** Ticks at which the first packet is heard; negative for the encoder's run-up, which players leave out. */
  readonly start: number
  readonly packets: PacketTable
}

/** Packets in a chunk: about a second of AAC, so that an index of 12 hours names 40,000 places and not two million. */
const PACKETS_IN_CHUNK = 48
const UNITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]

/**
 * Writes what comes before the packets in an audio-only MP4 (.m4a): type, index and the header of their box; the packets
 * follow as they are, one after another. It names no time of day, so that the same packets give the same file.
 */
export function writeM4aHead(track: AacTrack): Buffer {
  const type = box('ftyp', Buffer.from('M4A \0\0\x02\0M4A mp42isomiso2', 'latin1'))
  const media = mediaHeader(track.packets.bytes)
  const length = type.length + moov(track, 0).length + media.length
  // How long the index is does not depend on the place it is written for.
  return Buffer.concat([type, moov(track, length), media])
}

const mediaHeader = (bytes: number) =>
  bytes + 8 < 2 ** 32 ? Buffer.concat([u32(bytes + 8), Buffer.from('mdat')]) : box64('mdat', bytes)

const box64 = (type: string, bytes: number) => Buffer.concat([u32(1), Buffer.from(type), i64(bytes + 16)])

function moov(track: AacTrack, mediaOffset: number): Buffer {
  const { timescale, packets, start } = track
  const shown = packets.ticks + start // from the time 0 on
  const times = i64(0, 0) // created, modified
  return box(
    'moov',
    fullBox(
      'mvhd',
      1,
      0,
      times,
      u32(timescale),
      i64(shown),
      u32(0x10000),
      u16(0x100, 0),
      u32(0, 0),
      u32(...UNITY),
      u32(0, 0, 0, 0, 0, 0, 2),
    ),
    box(
      'trak',
      fullBox('tkhd', 1, 3, times, u32(1, 0), i64(shown), u32(0, 0), u16(0, 1, 0x100, 0), u32(...UNITY), u32(0, 0)),
      edits(track),
      box(
        'mdia',
        fullBox('mdhd', 1, 0, times, u32(timescale), i64(packets.ticks), u16(0x55c4, 0)), // language: und
        fullBox('hdlr', 0, 0, u32(0), Buffer.from('soun'), u32(0, 0, 0), Buffer.from('SoundHandler\0')),
        box(
          'minf',
          fullBox('smhd', 0, 0, u32(0)),
          box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
          sampleTable(track, mediaOffset),
        ),
      ),
    ),
  )
}

/** When the packets are heard: after nothing for a while, or without what comes before the time 0. */
function edits({ start, packets }: AacTrack): Buffer {
  const rate = u32(0x10000)
  const wait = start > 0 ? [i64(start, -1), rate] : []
  const play = [i64(packets.ticks + Math.min(0, start), Math.max(0, -start)), rate]
  return box('edts', fullBox('elst', 1, 0, u32(start > 0 ? 2 : 1), wait, play))
}

function sampleTable(track: AacTrack, mediaOffset: number): Buffer {
  const { count, sizes, durations } = track.packets
  const rest = count % PACKETS_IN_CHUNK
  const whole = (count - rest) / PACKETS_IN_CHUNK
  const chunking = [
    ...(whole ? [[1, PACKETS_IN_CHUNK, 1]] : []),
    ...(rest ? [[whole + 1, rest, 1]] : []), // the last one
  ]
  const sizeBytes = Buffer.alloc(count * 4)
  for (let n = 0; n < count; n++) sizeBytes.writeUInt32BE(sizes[n] ?? 0, n * 4)
  return box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), sampleEntry(track)),
    fullBox(
      'stts',
      0,
      0,
      u32(durations.length),
      durations.map(({ count, ticks }) => u32(count, ticks)),
    ),
    fullBox(
      'stsc',
      0,
      0,
      u32(chunking.length),
      chunking.map((entry) => u32(...entry)),
    ),
    fullBox('stsz', 0, 0, u32(0, count), sizeBytes),
    chunkOffsets(track.packets, mediaOffset),
  )
}

function chunkOffsets({ count, sizes, bytes }: PacketTable, mediaOffset: number): Buffer {
  const isLong = bytes > 2 ** 31 // far from where the index itself could make the difference
  const offsets = Buffer.alloc(Math.ceil(count / PACKETS_IN_CHUNK) * (isLong ? 8 : 4))
  for (let n = 0, at = mediaOffset, place = 0; n < count; at += sizes[n] ?? 0, n++) {
    if (n % PACKETS_IN_CHUNK) continue
    place = isLong ? offsets.writeBigUInt64BE(BigInt(at), place) : offsets.writeUInt32BE(at, place)
  }
  return fullBox(isLong ? 'co64' : 'stco', 0, 0, u32(Math.ceil(count / PACKETS_IN_CHUNK)), offsets)
}

function sampleEntry({ channels, sampleRate, configuration }: AacTrack): Buffer {
  const rate = sampleRate < 2 ** 16 ? sampleRate : 0 // has 16 bits; decoders take it from the configuration
  return box(
    'mp4a',
    u16(0, 0, 0, 1), // reserved, then which `dref` the data is in
    u32(0, 0),
    u16(channels, 16, 0, 0),
    u32(rate * 2 ** 16),
    fullBox('esds', 0, 0, elementaryStream(configuration)),
  )
}

/** ISO/IEC 14496-1, 7.2.6.5: AAC (0x40) as an audio stream (5), whose bit rates are not stated. */
function elementaryStream(configuration: Uint8Array): Buffer {
  const decoder = [Buffer.from([0x40, 0x15, 0, 0, 0]), u32(0, 0), descriptor(5, Buffer.from(configuration))]
  return descriptor(3, u16(0), Buffer.from([0]), descriptor(4, ...decoder), descriptor(6, Buffer.from([2])))
}

function descriptor(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag, 0x80 | (body.length >> 7), body.length & 0x7f]), body])
}
