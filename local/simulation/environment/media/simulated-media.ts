import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { FfmpegError, MediaError } from '../../../../lib/media/media-error.ts'
import type { ServiceDependencies } from '../../../../lib/services.ts'
import { joinWholeTracks } from './joined-tracks.ts'
import {
  COMPOSITE,
  damageOf,
  FACTS_BYTES,
  factsIn,
  gapsOf,
  type MediaDamage,
  type MediaFacts,
  sizeOf,
} from './media-facts.ts'
import { simulatedComposites } from './simulated-composites.ts'

type MediaFunctions = NonNullable<ServiceDependencies['media']>

/** Pieces of a recording: more would only repeat the calls of the first. */
const MAX_PIECES = 3
const PIECE_SECONDS = 600
const SEGMENTS = 4
const SAMPLE_RATE = 48_000
/** Seconds of a clip that may lie outside its segments: its times are rounded, and a recording may end shortly before. */
const TOLERANCE = 0.5

/**
 * The functions of media on the facts that an archive's bytes state. What they make are short texts, the same for the same
 * archive.
 */
export const simulatedMedia: MediaFunctions = {
  ...simulatedComposites,
  ffmpegVersion: async () => 'simulated',
  async inspect(source) {
    const facts = await read(source)
    const { seconds: duration, hasVideo, hasAudio, id } = facts
    const codec = damageOf(id) === 'other video codec' ? 'h265' : 'h264'
    const video = hasVideo ? { codec, ...sizeOf(facts), frameRate: 30, duration, keyframes: 1 } : null
    const audioCodec = damageOf(id) === 'other audio codec' ? 'opus' : 'aac'
    const audio = hasAudio ? { codec: audioCodec, sampleRate: SAMPLE_RATE, channels: 2, duration } : null
    return { duration, video, audio, moovPosition: 'end' }
  },
  async planPieces(source) {
    const { seconds } = await read(source)
    const count = Math.min(MAX_PIECES, Math.max(1, Math.ceil(seconds / PIECE_SECONDS)))
    return spansOf({ start: 0, end: seconds }, count).map((span, index) => ({ index, ...span }))
  },
  async planFaststart(source) {
    const { id } = await read(source)
    if (id === COMPOSITE) return { kind: 'as is', reason: 'front' }
    const bytes = Buffer.concat([Buffer.from('faststart\n'), await source.read(0, source.size)])
    return { kind: 'assemble', size: bytes.length, parts: [{ bytes }] }
  },
  async cutPiece(source, piece, take) {
    const facts = await read(source)
    if (damageOf(facts.id) === 'packets') throw new MediaError('The file is cut off: packets of its index are missing.')
    const { hasVideo, hasAudio } = facts
    const make = async (track: 'video' | 'audio') => {
      const bytes = textOf(facts, `${track} from ${piece.start}`)
      await take(track, bytes)
      return { init: textOf(facts, `${track} init`), index: indexOf(piece, bytes.length, track) }
    }
    return {
      video: hasVideo ? { codec: 'avc1.64001f', picture: sizeOf(facts), ...(await make('video')) } : null,
      audio: hasAudio ? { codec: 'mp4a.40.2', ...(await make('audio')) } : null,
    }
  },
  async cutClip({ video, audio }, { from, to }) {
    const track = video ?? audio
    const [piece] = track?.rendition.pieces ?? []
    if (!track || !piece) throw new MediaError('The recording has no video and no audio at the time of the clip.')
    if (!hasAll(track.rendition.pieces, { from, to })) throw new MediaError('The segments of the clip are missing.')
    const recorded = await track.read(piece.uri)
    return {
      encoded: 0,
      async *content() {
        yield Buffer.from(`clip from ${from} to ${to} of `)
        yield recorded
      },
    }
  },
  async encodePiece(source, piece, renditions, take) {
    const facts = await readWithout('picture', source)
    const encoded = []
    for (const { name, width, height } of renditions) {
      const bytes = textOf(facts, `${name} from ${piece.start}`)
      await take(name, bytes)
      const index = indexOf(piece, bytes.length, 'video')
      encoded.push({
        name,
        codec: 'avc1.64001f',
        picture: { width, height },
        init: textOf(facts, `${name} init`),
        index,
      })
    }
    return encoded
  },
  async makePoster({ source }) {
    const facts = await readWithout('picture', source)
    return { jpeg: textOf(facts, 'poster'), time: 0, ...sizeOf(facts) }
  },
  async *makeThumbnails({ source }) {
    const facts = await readWithout('picture', source)
    yield { role: 'sprite', name: 'sprite-1.jpg', contentType: 'image/jpeg', bytes: textOf(facts, 'sprite') }
    yield { role: 'thumbnails', name: 'thumbnails.vtt', contentType: 'text/vtt', bytes: textOf(facts, 'thumbnails') }
  },
  async findBlack({ source }) {
    return gapsOf(await readWithout('picture', source)).filter(({ isBlack }) => isBlack)
  },
  async *copyAudio(source) {
    const facts = await read(source)
    if (!facts.hasAudio) return
    if (damageOf(facts.id) === 'audio') throw new MediaError('The file is cut off: audio packets are missing.')
    yield textOf(facts, 'audio')
  },
  async measureAudio({ m4a }) {
    const facts = parse(Buffer.concat(await Array.fromAsync(m4a)))
    const data = [...Buffer.from(facts.id).subarray(0, 8)]
    const points = { sample_rate: SAMPLE_RATE, samples_per_pixel: 480, bits: 8, length: data.length / 2 } as const
    return {
      loudness: { integrated: -16, range: 5, truePeak: -1 },
      waveform: { version: 2, channels: 1, ...points, data },
      silences: gapsOf(facts)
        .filter(({ isSilent }) => isSilent)
        .map(({ start, end }) => ({ start, end })),
    }
  },
  findOverlap: async ({ expected }) => (expected < 0 ? undefined : { shift: expected, confidence: 0.9 }),
  joinTracks: joinWholeTracks,
}

type Pieces = NonNullable<Parameters<MediaFunctions['cutClip']>[0]['video']>['rendition']['pieces']

/** Returns whether the segments of some pieces hold a clip. */
function hasAll(pieces: Pieces, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const segments = pieces.flatMap(({ index }) => index.segments)
  const start = Math.min(...segments.map((segment) => segment.start))
  const end = Math.max(...segments.map((segment) => segment.start + segment.duration))
  return start <= from + TOLERANCE && end >= to - TOLERANCE
}

/** Reads the facts of a file. @throws {@link MediaError} for a damaged index, and for a file without its end */
async function read(source: ByteSource): Promise<MediaFacts> {
  const facts = parse(await source.read(0, Math.min(FACTS_BYTES, source.size)))
  if (source.size < facts.size && facts.size > FACTS_BYTES)
    throw new MediaError('The file is cut off: its index places packets beyond the end of the file.')
  if (damageOf(facts.id) === 'index') throw new MediaError('The index of the file is damaged.')
  return facts
}

/** @throws {@link FfmpegError} for a file with this damage */
async function readWithout(damage: MediaDamage, source: ByteSource): Promise<MediaFacts> {
  const facts = await read(source)
  if (damageOf(facts.id) === damage)
    throw new FfmpegError(`ffmpeg cannot decode the ${damage}.`, { words: 'Invalid data found when processing input' })
  return facts
}

function parse(bytes: Uint8Array): MediaFacts {
  const facts = factsIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  if (!facts) throw new MediaError('The file holds no MP4.')
  return facts
}

/** Returns the bytes of a made file, from which the facts of its archive can be read again. */
const textOf = (facts: MediaFacts, what: string) =>
  Buffer.from(`${what} of ${facts.id}\n${JSON.stringify({ ...facts, size: 0 })}\n`)

const spansOf = ({ start, end }: { readonly start: number; readonly end: number }, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    start: start + ((end - start) * n) / count,
    end: start + ((end - start) * (n + 1)) / count,
  }))

function indexOf(piece: { readonly start: number; readonly end: number }, size: number, track: 'video' | 'audio') {
  const share = Math.floor(size / SEGMENTS)
  const segments = spansOf(piece, SEGMENTS).map(({ start, end }, n) => ({
    start,
    duration: end - start,
    offset: n * share,
    size: n === SEGMENTS - 1 ? size - n * share : share,
  }))
  return { segments, iframes: track === 'video' ? segments : [] }
}
