import { box, fixed, fullBox, mediaHeader, text, u8, u16, u32, u32List, u64List } from './boxes.ts'
import type { PacketTable } from './packet-table.ts'

/** The index (`moov`) of a file. It names no time of day, so that the same packets give the same bytes. */
export interface Movie {
  /** Ticks per second of the durations of tracks and edits. */
  readonly timescale: number
  /** Versions of the boxes; version 1 has 64 bits for times. */
  readonly versions: { readonly headers: 0 | 1; readonly edits: 0 | 1; readonly media: 0 | 1 }
  /** True for chunk offsets of 64 bits. */
  readonly hasLongOffsets: boolean
  readonly tracks: readonly MovieTrack[]
  /** The `mvex` box of a file in fragments. */
  readonly extension?: Buffer
}

/** A track of an index; its id is its position, counted from 1. */
export interface MovieTrack {
  readonly type: 'video' | 'audio'
  readonly flags: number
  readonly alternateGroup?: number
  /** Ticks of the movie. */
  readonly duration: number
  readonly edits: readonly Edit[]
  /** Pixels; nothing for audio. */
  readonly size?: { readonly width: number; readonly height: number }
  /** Defaults to a matrix that changes nothing. */
  readonly matrix?: Buffer
  /** Ticks per second of the packets. */
  readonly timescale: number
  /** Ends with a zero byte. */
  readonly handlerName: string
  readonly description: Buffer
  readonly packets: PacketTable
  /** Ticks from the time at which each packet is decoded to the time at which it is shown; absent when all are 0. */
  readonly offsets?: readonly number[]
  /** Numbers of the packets that decode without others, counted from 0; undefined when all do. */
  readonly keys?: readonly number[]
  readonly chunks: readonly number[]
}

/** An entry of an edit list, played at normal speed. */
export interface Edit {
  /** Ticks of the movie. */
  readonly duration: number
  /** Ticks of the media at which it begins; -1 plays nothing. */
  readonly mediaTime: number
}

/** Writes the front of a file whose index precedes its media: the first chunk of each track, then the second, and so on. */
export function writeFront(type: Buffer, movie: Movie): Buffer {
  const media = mediaHeader(movie.tracks.reduce((sum, { packets }) => sum + packets.bytes, 0))
  const length = type.length + writeMoov(movie, 0).length + media.length // offsets do not change the length of an index
  return Buffer.concat([type, writeMoov(movie, length), media])
}

/** Writes the `moov` box. @param mediaOffset first byte of the first chunk in the file */
export function writeMoov(movie: Movie, mediaOffset = 0): Buffer {
  const { versions, timescale, tracks, extension } = movie
  const duration = Math.max(0, ...tracks.map((track) => track.duration))
  const offsets = offsetsOf(tracks, mediaOffset)
  return box(
    'moov',
    fullBox(
      'mvhd',
      versions.headers,
      0,
      times(versions.headers, 0, 0),
      u32(timescale),
      times(versions.headers, duration),
      fixed(1), // rate
      u16(0x100, 0), // volume
      u32(0, 0),
      matrix(1, 0, 0, 1),
      u32(0, 0, 0, 0, 0, 0, tracks.length + 1),
    ),
    ...tracks.map((track, index) => writeTrack(movie, track, index + 1, offsets[index] as number[])),
    ...(extension ? [extension] : []),
  )
}

const times = (version: 0 | 1, ...values: number[]) => (version === 1 ? u64List(values) : u32List(values))

/** Writes a matrix of a movie or track; `x` and `y` move the picture. */
export const matrix = (a: number, b: number, c: number, d: number, x = 0, y = 0) =>
  Buffer.concat([fixed(a, b, 0, c, d, 0, x, y), u32(0x40000000)])

function offsetsOf(tracks: readonly MovieTrack[], mediaOffset: number): number[][] {
  const offsets = tracks.map((): number[] => [])
  const packets = tracks.map(() => 0)
  let at = mediaOffset
  for (let chunk = 0; tracks.some(({ chunks }) => chunk < chunks.length); chunk++) {
    for (const [index, track] of tracks.entries()) {
      const count = track.chunks[chunk]
      if (count === undefined) continue
      offsets[index]?.push(at)
      const first = packets[index] as number
      packets[index] = first + count
      for (let n = first; n < first + count; n++) at += track.packets.sizes[n] ?? 0
    }
  }
  return offsets
}

function writeTrack(movie: Movie, track: MovieTrack, id: number, offsets: readonly number[]): Buffer {
  const { versions } = movie
  const { type, flags, alternateGroup = 0, duration, edits, timescale, packets } = track
  const { width, height } = track.size ?? { width: 0, height: 0 }
  const isVideo = type === 'video'
  return box(
    'trak',
    fullBox(
      'tkhd',
      versions.headers,
      flags,
      times(versions.headers, 0, 0),
      u32(id, 0),
      times(versions.headers, duration),
      u32(0, 0),
      u16(0, alternateGroup, isVideo ? 0 : 0x100, 0), // layer, group, volume
      track.matrix ?? matrix(1, 0, 0, 1),
      fixed(width, height),
    ),
    ...(edits.length > 0 ? [box('edts', editList(versions.edits, edits))] : []),
    box(
      'mdia',
      fullBox(
        'mdhd',
        versions.media,
        0,
        times(versions.media, 0, 0),
        u32(timescale),
        times(versions.media, packets.ticks),
        u16(0x55c4, 0), // language "und"
      ),
      fullBox('hdlr', 0, 0, u32(0), text(isVideo ? 'vide' : 'soun'), u32(0, 0, 0), text(track.handlerName)),
      box(
        'minf',
        isVideo ? fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)) : fullBox('smhd', 0, 0, u16(0, 0)),
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        sampleTable(track, offsets, movie.hasLongOffsets),
      ),
    ),
  )
}

const editList = (version: 0 | 1, edits: readonly Edit[]) =>
  fullBox(
    'elst',
    version,
    0,
    u32(edits.length),
    ...edits.map(({ duration, mediaTime }) => Buffer.concat([times(version, duration, mediaTime), u16(1, 0)])),
  )

function sampleTable(
  { description, packets, offsets: shown = [], keys, chunks }: MovieTrack,
  offsets: readonly number[],
  hasLongOffsets: boolean,
): Buffer {
  const { count, sizes, durations } = packets
  // An entry for each change in the number of packets in a chunk.
  const runs = chunks.flatMap((inChunk, index) => (inChunk === chunks[index - 1] ? [] : [u32(index + 1, inChunk, 1)]))
  return box(
    'stbl',
    description,
    fullBox('stts', 0, 0, u32(durations.length), ...durations.map((run) => u32(run.count, run.ticks))),
    ...(shown.some((ticks) => ticks > 0) ? [compositionOffsets(shown)] : []),
    ...(keys ? [fullBox('stss', 0, 0, u32(keys.length), u32List(keys.map((key) => key + 1)))] : []),
    fullBox('stsc', 0, 0, u32(runs.length), ...runs),
    fullBox('stsz', 0, 0, u32(0, count), u32List(sizes)),
    hasLongOffsets
      ? fullBox('co64', 0, 0, u32(offsets.length), u64List(offsets))
      : fullBox('stco', 0, 0, u32(offsets.length), u32List(offsets)),
  )
}

/** Writes the `ctts` box, with an entry for each change of the offset. */
function compositionOffsets(shown: readonly number[]): Buffer {
  const runs: [count: number, ticks: number][] = []
  for (const ticks of shown) {
    const last = runs.at(-1)
    if (last?.[1] === ticks) last[0] += 1
    else runs.push([1, ticks])
  }
  return fullBox('ctts', 0, 0, u32(runs.length), u32List(runs.flat()))
}

export interface AacFacts {
  /** In hertz. */
  readonly sampleRate: number
  readonly channels: number
  /** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
  readonly configuration: Uint8Array
}

/** Writes the `mp4a` sample entry of an AAC track. @param lengthBytes bytes in which each descriptor states its length */
export function aacEntry(
  { sampleRate, channels, configuration }: AacFacts,
  { streamId, lengthBytes }: { readonly streamId: number; readonly lengthBytes: 2 | 4 },
): Buffer {
  const rate = sampleRate < 2 ** 16 ? sampleRate : 0 // has 16 bits; decoders take it from the configuration
  const descriptor = (tag: number, ...content: Uint8Array[]) => {
    const length = content.reduce((sum, part) => sum + part.length, 0)
    // Groups of seven bits; all but the last are marked (ISO/IEC 14496-1, 8.3.3).
    const groups = [21, 14, 7, 0].slice(-lengthBytes).map((shift) => ((length >> shift) & 127) | (shift > 0 ? 128 : 0))
    return Buffer.concat([u8(tag, ...groups), ...content])
  }
  const decoder = descriptor(4, u8(0x40, 0x15, 0, 0, 0), u32(0, 0), descriptor(5, configuration)) // AAC, an audio stream
  const stream = descriptor(3, u16(streamId), u8(0), decoder, descriptor(6, u8(2)))
  return box(
    'mp4a',
    u16(0, 0, 0, 1), // reserved, then the data reference
    u32(0, 0),
    u16(channels, 16, 0, 0),
    u16(rate, 0),
    fullBox('esds', 0, 0, stream),
  )
}
