import { box, fixed, fullBox, text, u8, u16, u32, u64 } from '../mp4/boxes.ts'
import type { AudioFacts, VideoFacts } from './packets/tracks.ts'

/** The only track of its segments. */
export const TRACK_ID = 1

const UNITY = [1, 0, 0, 1] as const
/** First two rows of a matrix that turns the picture clockwise; the picture is moved back into view by its size. */
const TURNS = { 0: UNITY, 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] } as const

/**
 * Writes what a player loads before any segment of a track (ftyp and moov). It holds no time of day and nothing of a single
 * piece, so that it is the same for all of them.
 */
export function writeInitSegment(facts: VideoFacts | AudioFacts): Buffer {
  const brands = ['iso6', 'cmfc', 'mp41'].map(text)
  return Buffer.concat([
    box('ftyp', text('iso6'), u32(0), ...brands),
    box(
      'moov',
      fullBox(
        'mvhd',
        0,
        0,
        u32(0, 0, facts.timescale, 0),
        fixed(1),
        u16(0x0100, 0),
        u32(0, 0),
        matrix(UNITY),
        u32(0, 0, 0, 0, 0, 0, TRACK_ID + 1),
      ),
      box('trak', trackHeader(facts), ...editList(facts), media(facts)),
      box('mvex', fullBox('trex', 0, 0, u32(TRACK_ID, 1, 0, 0, 0))),
    ),
  ])
}

function trackHeader(facts: VideoFacts | AudioFacts) {
  const isVideo = facts.type === 'video'
  const turned = isVideo && facts.rotation % 180 !== 0
  const [width, height] = isVideo ? (turned ? [facts.height, facts.width] : [facts.width, facts.height]) : [0, 0]
  return fullBox(
    'tkhd',
    0,
    7, // enabled, in movie, in preview
    u32(0, 0, TRACK_ID, 0, 0, 0, 0),
    u16(0, 0, isVideo ? 0 : 0x0100, 0), // layer, group, volume
    isVideo ? matrix(TURNS[facts.rotation], width, height) : matrix(UNITY),
    fixed(width, height),
  )
}

function matrix([a, b, c, d]: readonly [number, number, number, number], width = 0, height = 0): Buffer {
  const x = Math.max(0, -a * width, -c * height)
  const y = Math.max(0, -b * width, -d * height)
  return Buffer.concat([fixed(a, b, 0, c, d, 0, x, y), u32(0x40000000)])
}

/** Fragments count from 0, so a track with a lead is set back by it: what it has before 0 is decoded and not played. */
const editList = ({ lead }: VideoFacts | AudioFacts) =>
  lead > 0 ? [box('edts', fullBox('elst', 1, 0, u32(1), u64(0, lead), u16(1, 0)))] : []

function media(facts: VideoFacts | AudioFacts): Buffer {
  const isVideo = facts.type === 'video'
  const handler = isVideo ? 'vide' : 'soun'
  const header = isVideo ? fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)) : fullBox('smhd', 0, 0, u16(0, 0))
  const entry = isVideo ? videoEntry(facts) : audioEntry(facts)
  return box(
    'mdia',
    fullBox('mdhd', 0, 0, u32(0, 0, facts.timescale, 0), u16(0x55c4, 0)), // language "und"
    fullBox('hdlr', 0, 0, u32(0), text(handler), u32(0, 0, 0), u8(0)),
    box(
      'minf',
      header,
      box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
      box(
        'stbl',
        fullBox('stsd', 0, 0, u32(1), entry),
        fullBox('stts', 0, 0, u32(0)),
        fullBox('stsc', 0, 0, u32(0)),
        fullBox('stsz', 0, 0, u32(0, 0)),
        fullBox('stco', 0, 0, u32(0)),
      ),
    ),
  )
}

const RESERVED_6 = u8(0, 0, 0, 0, 0, 0)

function videoEntry({ codec, configuration, codedWidth, codedHeight, pixelAspect }: VideoFacts): Buffer {
  const isAvc = codec.startsWith('avc')
  const { num, den } = pixelAspect
  return box(
    isAvc ? 'avc1' : 'hvc1',
    RESERVED_6,
    u16(1), // the data is here
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

function audioEntry({ configuration, channels, sampleRate }: AudioFacts): Buffer {
  const decoderConfig = descriptor(4, u8(0x40, 0x15), u8(0, 0, 0), u32(0, 0), descriptor(5, configuration)) // AAC, audio
  const stream = descriptor(3, u16(TRACK_ID), u8(0), decoderConfig, descriptor(6, u8(2)))
  return box(
    'mp4a',
    RESERVED_6,
    u16(1),
    u32(0, 0),
    u16(channels, 16, 0, 0),
    fixedRate(sampleRate),
    fullBox('esds', 0, 0, stream),
  )
}

/** Rates above 65535 do not fit; players take them from the decoder's configuration. */
const fixedRate = (sampleRate: number) => u16(sampleRate < 65536 ? sampleRate : 0, 0)

/** Of ISO/IEC 14496-1, 8.3.3: its length in groups of seven bits. */
function descriptor(tag: number, ...content: Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([
    u8(tag, 0x80 | (length >> 21), 0x80 | ((length >> 14) & 127), 0x80 | ((length >> 7) & 127), length & 127),
    ...content,
  ])
}
