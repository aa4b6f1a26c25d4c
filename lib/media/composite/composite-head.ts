import { box, fixed, fullBox, text, u8, u16, u32, u64 } from '../mp4/boxes.ts'

/** All that an index has to know of a track's packets. */
export interface CompositeTrack {
  readonly type: 'video' | 'audio'
  /** Ticks in a second, and of each packet. */
  readonly timescale: number
  readonly ticks: number
  /** Bytes of each packet. */
  readonly sizes: readonly number[]
  /** Packets of video that decode on their own, counted from 0. */
  readonly keys: readonly number[]
  /** How many packets each chunk has. */
  readonly chunks: readonly number[]
  /** Ticks at the beginning that are decoded and not played, and those that are. */
  readonly skipped: number
  readonly played: number
  /** Its `stsd` box. */
  readonly description: Buffer
  /** Pixels; 0 of audio. */
  readonly width: number
  readonly height: number
}

/** Ticks of the whole. */
const TIMESCALE = 1000

/**
 * Writes what comes before the packets of a composite: type, index and the header of their box. The first chunk of each track
 * follows, then the second of each, and so on. It names no time of day, so that the same packets give the same file.
 */
export function writeCompositeHead(tracks: readonly CompositeTrack[]): Buffer {
  const type = box('ftyp', text('isom'), u32(0x200), ...['isom', 'iso2', 'avc1', 'mp41'].map(text))
  const bytes = tracks.reduce((sum, { sizes }) => sizes.reduce((one, size) => one + size, sum), 0)
  const media = mediaHeader(bytes)
  const length = type.length + moov(tracks, 0).length + media.length
  // How long the index is does not depend on the place it is written for.
  return Buffer.concat([type, moov(tracks, length), media])
}

const mediaHeader = (bytes: number) =>
  bytes + 8 < 2 ** 32
    ? Buffer.concat([u32(bytes + 8), text('mdat')])
    : Buffer.concat([u32(1), text('mdat'), u64(bytes + 16)])

function moov(tracks: readonly CompositeTrack[], mediaOffset: number): Buffer {
  const duration = Math.max(0, ...tracks.map(shownTicks))
  const places = placesOf(tracks, mediaOffset)
  return box(
    'moov',
    fullBox(
      'mvhd',
      0,
      0,
      u32(0, 0, TIMESCALE, duration),
      fixed(1),
      u16(0x100, 0),
      u32(0, 0),
      UNITY,
      u32(0, 0, 0, 0, 0, 0, tracks.length + 1),
    ),
    ...tracks.map((track, index) => trak(track, index + 1, places[index] ?? [])),
  )
}

const UNITY = Buffer.concat([fixed(1, 0, 0, 0, 1, 0, 0, 0), u32(0x40000000)])

/** In the whole's ticks. */
const shownTicks = ({ played, timescale }: CompositeTrack) => Math.round((played * TIMESCALE) / timescale)

/** Where each chunk begins. */
function placesOf(tracks: readonly CompositeTrack[], mediaOffset: number): number[][] {
  const places = tracks.map((): number[] => [])
  const left = tracks.map(({ sizes }) => sizes.values())
  let at = mediaOffset
  for (let chunk = 0; tracks.some(({ chunks }) => chunk < chunks.length); chunk++) {
    for (const [index, { chunks }] of tracks.entries()) {
      const count = chunks[chunk]
      if (count === undefined) continue
      places[index]?.push(at)
      for (let n = 0; n < count; n++) at += left[index]?.next().value ?? 0
    }
  }
  return places
}

function trak(track: CompositeTrack, id: number, places: readonly number[]): Buffer {
  const { type, width, height, skipped, sizes, ticks, timescale } = track
  const isVideo = type === 'video'
  const shown = shownTicks(track)
  return box(
    'trak',
    fullBox(
      'tkhd',
      0,
      7,
      u32(0, 0, id, 0, shown, 0, 0),
      u16(0, 0, isVideo ? 0 : 0x100, 0),
      UNITY,
      fixed(width, height),
    ),
    box('edts', fullBox('elst', 0, 0, u32(1, shown, skipped), u16(1, 0))),
    box(
      'mdia',
      fullBox('mdhd', 1, 0, u64(0, 0), u32(timescale), u64(sizes.length * ticks), u16(0x55c4, 0)), // language: und
      fullBox('hdlr', 0, 0, u32(0), text(isVideo ? 'vide' : 'soun'), u32(0, 0, 0), u8(0)),
      box(
        'minf',
        isVideo ? fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)) : fullBox('smhd', 0, 0, u16(0, 0)),
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        sampleTable(track, places),
      ),
    ),
  )
}

const sampleTable = ({ type, sizes, keys, ticks, chunks, description }: CompositeTrack, places: readonly number[]) =>
  box(
    'stbl',
    description,
    fullBox('stts', 0, 0, u32(1, sizes.length, ticks)),
    ...(type === 'video'
      ? [
          fullBox(
            'stss',
            0,
            0,
            u32(keys.length),
            list(
              keys.map((key) => key + 1),
              4,
            ),
          ),
        ]
      : []),
    chunking(chunks),
    fullBox('stsz', 0, 0, u32(0, sizes.length), list(sizes, 4)),
    fullBox('co64', 0, 0, u32(places.length), list(places, 8)),
  )

/** An entry wherever the number of packets in a chunk changes. */
function chunking(chunks: readonly number[]): Buffer {
  const entries = chunks.flatMap((count, index) => (count === chunks[index - 1] ? [] : [u32(index + 1, count, 1)]))
  return fullBox('stsc', 0, 0, u32(entries.length), ...entries)
}

/** Numbers of which there are too many to be arguments of a call. */
function list(values: readonly number[], width: 4 | 8): Buffer {
  const bytes = Buffer.alloc(values.length * width)
  for (const [index, value] of values.entries()) {
    if (width === 4) bytes.writeUInt32BE(value, index * width)
    else bytes.writeBigUInt64BE(BigInt(value), index * width)
  }
  return bytes
}
