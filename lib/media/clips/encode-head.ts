import { decodingLimits, runFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import { type ReadFrame, readFragments } from '../hls/fragment-reader.ts'
import { MediaError } from '../media-error.ts'
import { profileOf, unusedId } from './parameter-sets.ts'

export interface HeadOrder {
  /** The init segment, and the segments that hold the GOP. */
  readonly stream: readonly Buffer[]
  /** The content of the `avcC` box of the track. */
  readonly avcC: Buffer
  /** Ticks per second. */
  readonly timescale: number
  /** Ticks that the init segment’s edit list subtracts from all times. */
  readonly lead: number
  /** Ticks at which the first frame to encode is shown, and before which the last one is. */
  readonly from: number
  readonly until: number
}

/** The frames of a GOP that were encoded again, and the content of their `avcC` box. */
export interface EncodedHead {
  readonly frames: readonly ReadFrame[]
  readonly avcC: Buffer
}

/** Constant quality, near that of the source: the frames beside them are copied. */
const QUALITY = 17
/** Constant, since its number changes the output. */
const THREADS = 2

/**
 * Encodes the frames of one GOP between two times again, so that the first of them decodes without others. Their parameter sets
 * have an id that the track does not use.
 * @throws {@link MediaError} when the frames cannot be decoded, or ffmpeg fails
 */
export async function encodeHead(ffmpegPath: string, order: HeadOrder): Promise<EncodedHead> {
  const { stream, avcC, timescale, lead, from, until } = order
  const { frameTiming } = await readFfmpegBuild(ffmpegPath)
  const wanted = `select='gte(pts,${from + lead})*lt(pts,${until + lead})'`
  const bytes = await runFfmpeg(
    ffmpegPath,
    [
      ...['-fflags', '+bitexact', '-copyts', '-ignore_editlist', '1', ...decodingLimits(THREADS)],
      ...['-f', 'mp4', '-i', 'pipe:0', '-map', '0:v:0', '-map_metadata', '-1', '-vf', wanted],
      ...[frameTiming, 'passthrough', '-enc_time_base', `1:${timescale}`],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', profileOf(avcC), '-threads:v', String(THREADS)],
      ...['-crf', String(QUALITY), '-bf', '0', '-g', '1000000', '-sc_threshold', '0'],
      ...['-x264-params', `sps-id=${unusedId(avcC)}`],
      ...['-flags', '+bitexact', '-fflags', '+bitexact', '-video_track_timescale', String(timescale)],
      ...['-movflags', '+frag_keyframe+empty_moov+delay_moov+default_base_moof+frag_discont', '-f', 'mp4', 'pipe:1'],
    ],
    stream,
  )
  const frames: ReadFrame[] = []
  let configuration: Buffer | undefined
  await readFragments(alone(bytes), {
    onConfiguration: (content) => {
      configuration = content
    },
    onFrame: async (frame) => {
      frames.push({ ...frame, time: frame.time - lead })
    },
  })
  if (!configuration || frames.length === 0) throw new MediaError('The first frames of the clip cannot be decoded.')
  return { frames, avcC: configuration }
}

async function* alone(bytes: Buffer) {
  yield bytes
}
