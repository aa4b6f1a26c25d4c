import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { bufferOf } from '../byte-source.ts'
import { decodingLimits } from '../ffmpeg/ffmpeg.ts'
import { type FfmpegBuild, readFfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import type { IndividualArchive } from '../individual/individual-archive.ts'
import { type NamedFile, withWebm } from '../individual/open-webm.ts'
import { readAhead } from '../read-ahead.ts'
import type { TimeRange } from '../time-range.ts'
import { type Feed, runWithPipes, type Write } from './ffmpeg-pipes.ts'
import { createMatroskaWriter, type MatroskaTrack, TICKS_PER_SECOND } from './matroska-writer.ts'
import {
  type CompositePlan,
  type CompositeSize,
  FRAMES_PER_SECOND,
  KEYFRAME_FRAMES,
  type Place,
} from './plan-composite.ts'

/** Frames from `start` up to, not including, `end`. */
export interface FrameSpan {
  readonly start: number
  readonly end: number
}

/** Divides the frames of a composite into pieces of about so many seconds, which can be encoded apart. */
export function planPieces({ frames }: Pick<CompositePlan, 'frames'>, seconds: number): FrameSpan[] {
  const length = Math.max(1, Math.round((seconds * FRAMES_PER_SECOND) / KEYFRAME_FRAMES)) * KEYFRAME_FRAMES
  return Array.from({ length: Math.ceil(frames / length) }, (_, index) => ({
    start: index * length,
    end: Math.min(frames, (index + 1) * length),
  }))
}

/**
 * Encodes a piece of a composite's picture as a fragmented MP4: one frame of H.264 for each frame of the span, a keyframe
 * every two seconds. Each frame of a stream is shown from the nearest frame of the composite until the stream's next one.
 * Reads only the packets that the piece needs, from the keyframes before it. The same piece gives the same bytes with the same
 * ffmpeg, and pieces of one plan fit together.
 * @throws {@link MediaError} when a stream cannot be decoded or ffmpeg fails
 */
export async function* encodeCompositePiece(
  archive: IndividualArchive,
  plan: CompositePlan,
  piece: FrameSpan,
  { ffmpegPath }: { readonly ffmpegPath: string },
): AsyncGenerator<Uint8Array, void, undefined> {
  const inputs = await findInputs(archive, plan, piece)
  const lead = Math.max(0, ...inputs.map(({ keyframe }) => piece.start - Math.floor(keyframe * FRAMES_PER_SECOND))) + 1
  const places = inputs.map((input) => input.places)
  const graph = pieceGraph({ ...plan, frames: piece.end - piece.start, lead, inputs: places })
  const feeds = inputs.map(({ stream, range }): Feed => {
    const shift = stream.start + (lead - piece.start) / FRAMES_PER_SECOND
    return (write) => feedPicture({ name: stream.file, source: archive.open(stream) }, range, shift, write)
  })
  const { frameTiming } = await readFfmpegBuild(ffmpegPath)
  yield* runWithPipes(ffmpegPath, pieceArguments(inputs.length, graph, frameTiming), feeds)
}

async function findInputs(archive: IndividualArchive, { pictures }: CompositePlan, piece: FrameSpan) {
  const inputs = []
  for (const { stream, places } of pictures) {
    const clipped = places.flatMap((place) => clip(place, piece))
    if (clipped.length === 0) continue
    const range = {
      start: (piece.start + 0.5) / FRAMES_PER_SECOND - stream.start,
      end: (piece.end - 0.5) / FRAMES_PER_SECOND - stream.start,
    }
    const keyframe = await findKeyframe({ name: stream.file, source: archive.open(stream) }, range)
    if (keyframe !== undefined) inputs.push({ stream, places: clipped, range, keyframe: keyframe + stream.start })
  }
  return inputs
}

function clip({ start, end, ...rect }: Place, piece: FrameSpan): Place[] {
  const [from, to] = [Math.max(start, piece.start), Math.min(end, piece.end)]
  return from < to ? [{ ...rect, start: from - piece.start, end: to - piece.start }] : []
}

/** Microseconds: ffmpeg holds this much in memory, and the assembly reads an index for each fragment. */
const FRAGMENT = '60000000'
/** Constant, since the number of threads changes the output. */
const ENCODING_THREADS = 4

const pieceArguments = (inputs: number, graph: string, frameTiming: FfmpegBuild['frameTiming']) => [
  '-copyts', // else each input would begin at 0
  ...Array.from({ length: inputs }, (_, index) => [
    ...[...decodingLimits(2), '-reinit_filter', '0', '-f', 'matroska', '-i', `pipe:${3 + index}`],
  ]).flat(),
  ...['-filter_complex', graph, '-map', '[out]', '-map_metadata', '-1', frameTiming, 'passthrough'],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'main', '-crf', '23', '-maxrate', '4M', '-bufsize', '8M'],
  ...['-threads:v', String(ENCODING_THREADS), '-bf', '0', '-g', String(KEYFRAME_FRAMES)],
  ...['-keyint_min', String(KEYFRAME_FRAMES), '-sc_threshold', '0', '-level', '4.0'],
  // Headers that do not depend on the picture; the colours are those in which WebRTC sends.
  ...['-x264-params', 'stitchable=1:colorprim=smpte170m:transfer=smpte170m:colormatrix=smpte170m:fullrange=off'],
  ...['-flags', '+bitexact', '-fflags', '+bitexact', '-video_track_timescale', String(FRAMES_PER_SECOND * 512)],
  ...['-movflags', '+empty_moov+default_base_moof', '-frag_duration', FRAGMENT, '-f', 'mp4', 'pipe:1'],
]

/** The pictures of a piece: one input of ffmpeg each, in their order. */
interface GraphSpec extends CompositeSize {
  /** Frames of the piece, and frames of ffmpeg's timeline before its first. */
  readonly frames: number
  readonly lead: number
  /** Places of each input, in frames of the piece. */
  readonly inputs: readonly (readonly Place[])[]
}

/**
 * Writes the filter graph that draws all pictures onto one frame. Each input is first drawn on its own canvas, which ticks with
 * the frame: an input that sends nothing for a while keeps its picture and delays no other. The output is named `out`.
 */
function pieceGraph({ width, height, frames, lead, inputs }: GraphSpec): string {
  const base = `${ticking(width, height, lead, frames)}[frame0]`
  const drawn = inputs.flatMap((places, index) => drawInput(places, index, lead))
  const last = `[frame${inputs.length}]setpts=N,format=yuv420p[out]`
  return [base, ...drawn, last].join(';')
}

/** A black picture at the frame rate, from this frame of ffmpeg's timeline on. */
const ticking = (width: number, height: number, start: number, frames: number) =>
  `color=black:s=${width}x${height}:r=${FRAMES_PER_SECOND},format=yuv420p,trim=end_frame=${frames},setpts=N+${start}`

function drawInput(places: readonly Place[], index: number, lead: number): string[] {
  const first = places[0] as Place
  const last = places.at(-1) as Place
  const canvas = places.reduce((one, other) => (other.width > one.width ? other : one), first)
  const scaler = `scale@cell${index}`
  const commands = places
    .slice(1)
    .map((place) => `${timeOf(place.start, lead)} ${scaler} w ${place.width}, ${scaler} h ${place.height}`)
  const resized = [
    ...(commands.length > 0 ? [`sendcmd=c='${commands.join('; ')}'`] : []),
    `${scaler}=w=${first.width}:h=${first.height}:${SCALING}`,
  ]
  return [
    `[${index}:v]${fitInto(canvas)}[picture${index}]`,
    `${ticking(canvas.width, canvas.height, lead + first.start, last.end - first.start)}[canvas${index}]`,
    `[canvas${index}][picture${index}]overlay=x='(W-w)/2':y='(H-h)/2',${resized.join(',')}[cell${index}]`,
    `[frame${index}][cell${index}]overlay=x='${over(places, 'x', lead)}':y='${over(places, 'y', lead)}'` +
      `:enable='${over(places, undefined, lead)}'[frame${index + 1}]`,
  ]
}

const SCALING = 'flags=bilinear+accurate_rnd+bitexact'

/**
 * Fits each frame by its own shape, since senders change their size at any time. Rounds times to the nearest frame of the
 * composite, since versions of ffmpeg would each round in another way.
 */
const fitInto = ({ width, height }: CompositeSize) =>
  `scale=w='2*max(1,round(min(${width},${height}*dar)/2))':h='2*max(1,round(min(${height},${width}/dar)/2))'` +
  `:eval=frame:${SCALING},setsar=1,format=yuv420p,settb=1/${FRAMES_PER_SECOND}`

/** An expression of the time for a value that depends on the place; without a name it is 1 wherever there is a place. */
const over = (places: readonly Place[], name: 'x' | 'y' | undefined, lead: number) =>
  places
    .map(({ start, end, ...place }) => {
      const during = `gte(t,${timeOf(start, lead)})*lt(t,${timeOf(end, lead)})`
      return name ? `${place[name]}*${during}` : during
    })
    .join('+')

/** Half a frame early, so that rounding does not decide. */
const timeOf = (frame: number, lead: number) => ((lead + frame - 0.5) / FRAMES_PER_SECOND).toFixed(4)

/** Bytes fetched at once of each of up to 16 files, and the number of windows kept. */
const WINDOW = { window: 2 ** 20, kept: 3 } as const

const CODEC_IDS: Readonly<Record<string, string>> = { vp8: 'V_VP8', vp9: 'V_VP9', avc: 'V_MPEG4/ISO/AVC' }

/**
 * Finds the keyframe from which a time range of a stream can be decoded, and returns its time: the last one before the range,
 * or else the first of the stream. Undefined when the file shows nothing until the end of the range.
 */
function findKeyframe(file: NamedFile, { start, end }: TimeRange): Promise<number | undefined> {
  return withPictures(file, async (sink) => {
    const key = await keyPacketAt(sink, start, { metadataOnly: true })
    return key && key.timestamp < end ? key.timestamp : undefined
  })
}

/** Writes the packets that show a time range of a stream, from its keyframe on, with `shift` seconds added to their times. */
function feedPicture(file: NamedFile, { start, end }: TimeRange, shift: number, write: Write): Promise<void> {
  const ahead = readAhead(file.source, WINDOW)
  return withPictures({ ...file, source: ahead }, async (sink, track) => {
    const writer = createMatroskaWriter(await describe(track), write)
    const key = await keyPacketAt(sink, start)
    ahead.begin()
    for await (const { data, timestamp, type } of sink.packets(key ?? undefined)) {
      if (timestamp >= end) break
      await writer.add(data, Math.max(0, Math.round((timestamp + shift) * TICKS_PER_SECOND)), type === 'key')
    }
    await writer.end()
  })
}

const withPictures = <T>(file: NamedFile, use: (sink: EncodedPacketSink, track: InputVideoTrack) => Promise<T>) =>
  withWebm(file, async (input) => {
    const track = (await input.getPrimaryVideoTrack()) as InputVideoTrack // the plan has checked it
    return use(new EncodedPacketSink(track), track)
  })

const keyPacketAt = async (
  sink: EncodedPacketSink,
  time: number,
  options: { metadataOnly?: boolean } = {},
): Promise<EncodedPacket | null> => (await sink.getKeyPacket(time, options)) ?? (await sink.getFirstKeyPacket(options))

async function describe(track: InputVideoTrack): Promise<MatroskaTrack> {
  const description = (await track.getDecoderConfig())?.description
  return {
    codecId: CODEC_IDS[(await track.getCodec()) ?? ''] ?? '',
    configuration: description && bufferOf(description),
    format: { width: await track.getCodedWidth(), height: await track.getCodedHeight() },
  }
}
