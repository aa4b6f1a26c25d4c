import { box, fixed, fullBox, text, u16, u32 } from '../mp4/boxes.ts'
import { aacEntry, matrix, writeMoov } from '../mp4/movie.ts'
import { createPacketTable } from '../mp4/packet-table.ts'
import type { AudioFacts, VideoFacts } from './packets/tracks.ts'

/** Id of the only track of the segments. */
export const TRACK_ID = 1

/** First two rows of a matrix that turns the picture clockwise; the picture is moved back into view by its size. */
const TURNS = { 0: [1, 0, 0, 1], 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] } as const

/** Writes a track's init segment (`ftyp` and `moov`) without anything of a single piece: all pieces share it. */
export function writeInitSegment(facts: VideoFacts | AudioFacts): Buffer {
  const { type, timescale, lead } = facts
  const brands = ['iso6', 'cmfc', 'mp41'].map(text)
  const index = writeMoov({
    timescale,
    versions: { headers: 0, edits: 1, media: 0 },
    hasLongOffsets: false,
    tracks: [
      {
        type,
        flags: 7, // enabled, in the movie, in the preview
        duration: 0,
        // Fragments count from 0, so a lead is set back: the packets before 0 are decoded and not played.
        edits: lead > 0 ? [{ duration: 0, mediaTime: lead }] : [],
        timescale,
        ...(type === 'video' && placement(facts)),
        handlerName: '\0',
        description: fullBox(
          'stsd',
          0,
          0,
          u32(1),
          type === 'video' ? videoEntry(facts) : aacEntry(facts, { streamId: TRACK_ID, lengthBytes: 4 }),
        ),
        packets: createPacketTable(), // fragments list them
        chunks: [],
      },
    ],
    extension: box('mvex', fullBox('trex', 0, 0, u32(TRACK_ID, 1, 0, 0, 0))),
  })
  return Buffer.concat([box('ftyp', text('iso6'), u32(0), ...brands), index])
}

function placement({ rotation, ...shown }: VideoFacts) {
  const [width, height] = rotation % 180 === 0 ? [shown.width, shown.height] : [shown.height, shown.width]
  const [a, b, c, d] = TURNS[rotation]
  const x = Math.max(0, -a * width, -c * height)
  const y = Math.max(0, -b * width, -d * height)
  return { size: { width, height }, matrix: matrix(a, b, c, d, x, y) }
}

function videoEntry({ codec, configuration, codedWidth, codedHeight, pixelAspect }: VideoFacts): Buffer {
  const isAvc = codec.startsWith('avc')
  const { num, den } = pixelAspect
  return box(
    isAvc ? 'avc1' : 'hvc1',
    u16(0, 0, 0, 1), // reserved, then the data reference
    u32(0, 0, 0, 0),
    u16(codedWidth, codedHeight),
    fixed(72, 72), // dots per inch
    u32(0),
    u16(1), // frames in a sample
    Buffer.alloc(32), // the encoder's name
    u16(0x18, 0xffff), // depth; no colour table
    box(isAvc ? 'avcC' : 'hvcC', configuration),
    ...(num === den ? [] : [box('pasp', u32(num, den))]),
  )
}
