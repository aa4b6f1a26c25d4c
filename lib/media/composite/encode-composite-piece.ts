import { decodingLimits } from '../ffmpeg/decoding-limits.ts'
import { type FfmpegBuild, readFfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import type { IndividualArchive } from '../individual/individual-archive.ts'
import { feedPicture, findKeyframe } from './feed-picture.ts'
import { type Feed, runWithPipes } from './ffmpeg-pipes.ts'
import { pieceGraph } from './piece-graph.ts'
import { type CompositePlan, FRAMES_PER_SECOND, KEYFRAME_FRAMES, type Place } from './plan-composite.ts'

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
 * Encodes a piece of a composite's picture as a fragmented MP4: one frame of H.264 for each frame of the span, a keyframe every
 * two seconds. Each frame of a stream is shown from the nearest frame of the composite until the stream's next one. Reads only
 * the packets that the piece needs, from the keyframes before it. The same piece gives the same bytes with the same ffmpeg, and
 * pieces of one plan fit together.
 * @throws {@link MediaError} when a stream cannot be decoded or ffmpeg fails; errors of the archive's source pass through
 *   unchanged
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

/** Lists the streams that show something in a piece. */
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

/** Clips a place to a piece, in frames of the piece. */
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
