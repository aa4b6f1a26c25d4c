import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { bufferOf } from '../byte-source.ts'
import { decodingLimits } from '../ffmpeg/ffmpeg.ts'
import { type FfmpegBuild, readFfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import type { IndividualArchive, IndividualStream } from '../individual/individual-archive.ts'
import { type NamedFile, withWebm } from '../individual/open-webm.ts'
import { readAhead } from '../read-ahead.ts'
import type { TimeRange } from '../time-range.ts'
import { type Feed, FRAGMENTED_MP4, runWithPipes } from './ffmpeg-pipes.ts'
import { createMatroskaWriter, type MatroskaTrack, TICKS_PER_SECOND } from './matroska-writer.ts'
import { type CompositePlan, type CompositeSize, FRAMES_PER_SECOND, type PicturePlace } from './plan-composite.ts'

/** Frames between keyframes; pieces begin at keyframes. */
const KEYFRAME_FRAMES = 2 * FRAMES_PER_SECOND
/** Constant, since the number of threads changes the output. */
const ENCODING_THREADS = 4
/** Bytes fetched at once of each of up to 16 files, and the number of windows kept. */
const WINDOW = { window: 2 ** 20, kept: 3 } as const

/** Frames from `start` up to, not including, `end`. */
export interface FrameSpan {
  readonly start: number
  readonly end: number
}

/** Divides the frames of a composite into pieces of about so many seconds, which can be encoded apart. */
export function planCompositePieces({ frames }: Pick<CompositePlan, 'frames'>, seconds: number): FrameSpan[] {
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
  const feeds: Feed[] = []
  const inputs: PicturePlace[][] = []
  for (const { stream, places } of plan.pictures) {
    const clipped = places.flatMap((place) => clip(place, piece))
    if (clipped.length === 0 || !(await hasPicture(archive, stream, piece))) continue
    inputs.push(clipped)
    feeds.push(feedPicture(archive, stream, piece))
  }
  const { frameTiming } = await readFfmpegBuild(ffmpegPath)
  const input = [...decodingLimits(2), '-reinit_filter', '0', '-f', 'matroska']
  const graph = pieceGraph(plan, piece, inputs)
  yield* runWithPipes(ffmpegPath, { feeds, input, graph, output: encoding(frameTiming) })
}

function clip({ start, end, ...rect }: PicturePlace, piece: FrameSpan): PicturePlace[] {
  const [from, to] = [Math.max(start, piece.start), Math.min(end, piece.end)]
  return from < to ? [{ ...rect, start: from, end: to }] : []
}

const encoding = (frameTiming: FfmpegBuild['frameTiming']) => [
  '-copyts', // else each input would begin at 0
  ...[frameTiming, 'passthrough', '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'main', '-level', '4.0'],
  ...['-crf', '23', '-maxrate', '4M', '-bufsize', '8M', '-threads:v', String(ENCODING_THREADS), '-bf', '0'],
  ...['-g', String(KEYFRAME_FRAMES), '-keyint_min', String(KEYFRAME_FRAMES), '-sc_threshold', '0'],
  // Headers that do not depend on the picture; the colours are those in which WebRTC sends.
  ...['-x264-params', 'stitchable=1:colorprim=smpte170m:transfer=smpte170m:colormatrix=smpte170m:fullrange=off'],
  ...['-video_track_timescale', String(FRAMES_PER_SECOND * 512), ...FRAGMENTED_MP4],
]

/**
 * Writes the filter graph that draws all pictures onto one frame, at the times of the composite. Each input is first drawn on its
 * own canvas, which ticks with the frame: an input that sends nothing for a while keeps its picture and delays no other.
 */
function pieceGraph(size: CompositeSize, piece: FrameSpan, inputs: readonly (readonly PicturePlace[])[]): string {
  const drawn = inputs.flatMap((places, index) => drawInput(places, index))
  const last = `[frame${inputs.length}]setpts=N,format=yuv420p[out]`
  return [`${ticking(size, piece)}[frame0]`, ...drawn, last].join(';')
}

/** A black picture that is there in each frame of a span. */
const ticking = ({ width, height }: CompositeSize, { start, end }: FrameSpan) =>
  `color=black:s=${width}x${height}:r=${FRAMES_PER_SECOND},format=yuv420p,trim=end_frame=${end - start},setpts=N+${start}`

function drawInput(places: readonly PicturePlace[], index: number): string[] {
  const first = places[0] as PicturePlace
  const { end } = places.at(-1) as PicturePlace
  const canvas = places.reduce((one, other) => (other.width > one.width ? other : one), first)
  const scaler = `scale@cell${index}`
  const commands = places
    .slice(1)
    .map(({ start, width, height }) => `${timeOf(start)} ${scaler} w ${width}, ${scaler} h ${height}`)
  const resized = [
    ...(commands.length > 0 ? [`sendcmd=c='${commands.join('; ')}'`] : []),
    `${scaler}=w=${first.width}:h=${first.height}:${SCALING}`,
  ]
  const during = places.map((place) => `gte(t,${timeOf(place.start)})*lt(t,${timeOf(place.end)})`)
  const sumOf = (side: 'x' | 'y') => places.map((place, nth) => `${place[side]}*${during[nth]}`).join('+')
  return [
    `[${index}:v]${fitInto(canvas)}[picture${index}]`,
    `${ticking(canvas, { start: first.start, end })}[canvas${index}]`,
    `[canvas${index}][picture${index}]overlay=x='(W-w)/2':y='(H-h)/2',${resized.join(',')}[cell${index}]`,
    `[frame${index}][cell${index}]overlay=x='${sumOf('x')}':y='${sumOf('y')}':enable='${during.join('+')}'[frame${index + 1}]`,
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

/** Half a frame early, so that rounding does not decide. */
const timeOf = (frame: number) => ((frame - 0.5) / FRAMES_PER_SECOND).toFixed(4)

/** Returns false when the file of a stream shows nothing until the end of a piece. */
function hasPicture(archive: IndividualArchive, stream: IndividualStream, piece: FrameSpan): Promise<boolean> {
  const { start, end } = timesOf(piece, stream)
  const file = { name: stream.file, source: archive.open(stream) }
  return withKeyframe(file, start, async ({ key }) => key !== null && key.timestamp < end)
}

/** Writes the packets of a stream that a piece shows, from the keyframe before it on, at the times of the composite. */
const feedPicture =
  (archive: IndividualArchive, stream: IndividualStream, piece: FrameSpan): Feed =>
  (write) => {
    const { start, end } = timesOf(piece, stream)
    const source = readAhead(archive.open(stream), WINDOW)
    return withKeyframe({ name: stream.file, source }, start, async ({ track, sink, key }) => {
      const writer = createMatroskaWriter(await describe(track), write)
      source.begin()
      for await (const { data, timestamp, type } of sink.packets(key ?? undefined)) {
        if (timestamp >= end) break
        await writer.add(data, Math.max(0, Math.round((stream.start + timestamp) * TICKS_PER_SECOND)), type === 'key')
      }
      await writer.end()
    })
  }

/** Returns the seconds of a stream's file from the middle of a piece's first frame to the middle of its last. */
const timesOf = (piece: FrameSpan, stream: IndividualStream): TimeRange => ({
  start: (piece.start + 0.5) / FRAMES_PER_SECOND - stream.start,
  end: (piece.end - 0.5) / FRAMES_PER_SECOND - stream.start,
})

interface OpenPicture {
  readonly track: InputVideoTrack
  readonly sink: EncodedPacketSink
  /** The packet from which a time can be decoded: the last keyframe before it, or else the first one. */
  readonly key: EncodedPacket | null
}

const withKeyframe = <T>(file: NamedFile, time: number, use: (picture: OpenPicture) => Promise<T>) =>
  withWebm(file, async (input) => {
    const track = (await input.getPrimaryVideoTrack()) as InputVideoTrack // the plan has checked it
    const sink = new EncodedPacketSink(track)
    return use({ track, sink, key: (await sink.getKeyPacket(time)) ?? (await sink.getFirstKeyPacket()) })
  })

const CODEC_IDS: Readonly<Record<string, string>> = { vp8: 'V_VP8', vp9: 'V_VP9', avc: 'V_MPEG4/ISO/AVC' }

async function describe(track: InputVideoTrack): Promise<MatroskaTrack> {
  const description = (await track.getDecoderConfig())?.description
  return {
    codecId: CODEC_IDS[(await track.getCodec()) ?? ''] ?? '',
    configuration: description && bufferOf(description),
    format: { width: await track.getCodedWidth(), height: await track.getCodedHeight() },
  }
}
