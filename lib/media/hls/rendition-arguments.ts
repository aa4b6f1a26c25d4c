import { decodingLimits } from '../ffmpeg/decoding-limits.ts'
import type { FfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import type { SizedRendition } from './ladder.ts'

export interface EncodingPlan {
  /** Ticks per second of the source and of every rendition. */
  readonly timescale: number
  /** Ticks of ffmpeg's timeline at which segments begin. */
  readonly segmentStarts: readonly number[]
  /** Output option of the build that encodes. */
  readonly frameTiming: FfmpegBuild['frameTiming']
}

/** Encoding threads of a rendition: constant, since their number changes the output. */
const THREADS = 2
const DECODING_THREADS = 4
const PRESET = 'veryfast'
/** Constant quality up to the bit rate of the rendition: a talking head needs less. */
const QUALITY = 23
/** Seconds of the highest bit rate that a decoder holds. */
const BUFFER_SECONDS = 2

/**
 * Returns the arguments of an ffmpeg that decodes a fragmented MP4 from standard input once, and encodes a rendition to
 * each of the pipes 3, 4 and so on. Frames keep their times; keyframes are at the starts of segments only; a picture
 * that changes its shape gets bars.
 */
export const renditionArguments = (renditions: readonly SizedRendition[], plan: EncodingPlan): string[] => [
  ...['-fflags', '+bitexact', '-copyts', ...decodingLimits(DECODING_THREADS), '-f', 'mp4', '-i', 'pipe:0'],
  ...renditions.flatMap((rendition, index) => [...encode(rendition, plan), `pipe:${3 + index}`]),
]

function encode(rendition: SizedRendition, { timescale, segmentStarts, frameTiming }: EncodingPlan): string[] {
  const { maxVideoBitrate } = rendition
  return [
    ...['-map', '0:v:0', '-map_metadata', '-1', '-vf', fit(rendition)],
    ...[frameTiming, 'passthrough', '-enc_time_base', `1:${timescale}`],
    ...['-c:v', 'libx264', '-preset', PRESET, '-profile:v', 'main', '-level', levelFor(rendition)],
    ...['-threads:v', String(THREADS), '-crf', String(QUALITY)],
    ...['-maxrate', String(maxVideoBitrate), '-bufsize', String(BUFFER_SECONDS * maxVideoBitrate)],
    ...['-bf', '0', '-g', '1000000', '-sc_threshold', '0', '-forced-idr', '1'],
    // Half a tick early, since ffmpeg rounds them to microseconds: the frame at that time is still the first one.
    ...['-force_key_frames', segmentStarts.map((ticks) => seconds((ticks - 0.5) / timescale)).join(',')],
    ...['-x264-params', 'stitchable=1'], // headers that do not depend on the picture: one init segment serves all pieces
    ...['-flags', '+bitexact', '-fflags', '+bitexact', '-video_track_timescale', String(timescale)],
    ...['-movflags', '+frag_keyframe+empty_moov+delay_moov+default_base_moof+frag_discont', '-f', 'mp4'],
  ]
}

const seconds = (time: number) => Math.max(0, time).toFixed(6)

function fit({ width, height }: SizedRendition): string {
  const isOfShape = `lt(abs(dar*${height}/${width}-1),0.02)`
  const w = `if(${isOfShape},${width},2*max(1,floor(min(${width},${height}*dar)/2)))`
  const h = `if(${isOfShape},${height},2*max(1,floor(min(${height},${width}/dar)/2)))`
  return [
    `scale=w='${w}':h='${h}':flags=bicubic+accurate_rnd+bitexact`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    'format=yuv420p',
  ].join(',')
}

/** Levels of H.264 (Table A-1): macroblocks per picture and per second. */
const LEVELS = [
  ['3.0', 1620, 40_500],
  ['3.1', 3600, 108_000],
  ['3.2', 5120, 216_000],
  ['4.0', 8192, 245_760],
  ['4.2', 8704, 522_240],
  ['5.1', 36_864, 983_040],
] as const
/** Frames per second that the level allows: pieces of one recording must have the same level at any frame rate. */
const MAX_FRAMES = 60

function levelFor({ width, height }: SizedRendition): string {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  return LEVELS.find(([, picture, second]) => blocks <= picture && blocks * MAX_FRAMES <= second)?.[0] ?? '5.2'
}
