import { box, fullBox, text, u32 } from '../mp4/boxes.ts'
import { type AacFacts, aacEntry, writeFront } from '../mp4/movie.ts'
import type { PacketTable } from '../mp4/packet-table.ts'

export interface AacTrack extends AacFacts {
  /** Ticks per second. */
  readonly timescale: number
  /** Ticks at which the first packet is heard; negative for the encoder's priming samples, which players skip. */
  readonly start: number
  readonly packets: PacketTable
}

/** Packets in a chunk: about a second of AAC, so that an index of 12 hours has 40,000 offsets instead of two million. */
const PACKETS_IN_CHUNK = 48

/** Writes the front of an audio-only MP4 (.m4a): type, index and the header of the media. The packets follow in order. */
export function writeM4aHead({ timescale, start, packets, ...facts }: AacTrack): Buffer {
  const wait = start > 0 ? [{ duration: start, mediaTime: -1 }] : []
  return writeFront(box('ftyp', text('M4A \0\0\x02\0M4A mp42isomiso2')), {
    timescale,
    versions: { headers: 1, edits: 1, media: 1 },
    hasLongOffsets: packets.bytes > 2 ** 31, // far below the size at which the index itself would matter
    tracks: [
      {
        type: 'audio',
        flags: 3, // enabled, in the movie
        alternateGroup: 1,
        duration: packets.ticks + start, // from the time 0 on
        edits: [...wait, { duration: packets.ticks + Math.min(0, start), mediaTime: Math.max(0, -start) }],
        timescale,
        handlerName: 'SoundHandler\0',
        description: fullBox('stsd', 0, 0, u32(1), aacEntry(facts, { streamId: 0, lengthBytes: 2 })),
        packets,
        chunks: chunksOf(packets.count),
      },
    ],
  })
}

const chunksOf = (packets: number) =>
  Array.from({ length: Math.ceil(packets / PACKETS_IN_CHUNK) }, (_, chunk) =>
    Math.min(PACKETS_IN_CHUNK, packets - chunk * PACKETS_IN_CHUNK),
  )
