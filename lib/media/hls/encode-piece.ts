import type { Readable, Writable } from 'node:stream'
import type { ByteSource } from '../byte-source.ts'
import { decodingLimits, type FfmpegProcess, startFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { type FfmpegBuild, readFfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import { MediaError } from '../media-error.ts'
import { type EncodedRendition, layOutRendition } from './encoded-rendition.ts'
import { writeInitSegment } from './init-segment.ts'
import type { SizedRendition } from './ladder.ts'
import { type OpenPiece, type OpenTrack, withPiece } from './open-piece.ts'
import type { PresentationSpan } from './packets/samples.ts'
import type { VideoFacts } from './packets/tracks.ts'

export type { EncodedRendition }

/** Receives the bytes of a rendition's object in order, as TakeBytes does for cutPiece. */
export type TakeRenditionBytes = (rendition: string, bytes: Buffer) => Promise<void>

/**
 * Encodes a piece of a recording in smaller sizes, all from one decoding, as H.264 in the layout of cutPiece: the same
 * frames at the same times, and segments that begin with the same frames, so that a player can switch at any of them.
 * Leaves audio out. The same piece gives the same bytes with the same ffmpeg. Returns none for a piece without video or
 * without renditions.
 * @throws {@link MediaError} for a file that cutPiece refuses, for video that cannot be decoded, and when ffmpeg fails;
 *   errors of the source and of `take` pass through unchanged
 */
export function encodePiece(
  source: ByteSource,
  piece: PresentationSpan,
  renditions: readonly SizedRendition[],
  take: TakeRenditionBytes,
  { ffmpegPath }: { readonly ffmpegPath: string },
): Promise<EncodedRendition[]> {
  return withPiece(source, piece, ['video'], async (open) => {
    if (!open.video || open.video.list.samples.length === 0 || renditions.length === 0) return []
    const { timescale, lead } = open.video.facts
    const segmentStarts = open.video.index.segments.map(({ start }) => Math.round(start * timescale) + lead)
    const { frameTiming } = await readFfmpegBuild(ffmpegPath)
    const ffmpeg = startFfmpeg(ffmpegPath, renditionArguments(renditions, { timescale, segmentStarts, frameTiming }), [
      ...(['pipe', 'ignore', 'pipe'] as const),
      ...renditions.map(() => 'pipe' as const),
    ])
    return run(ffmpeg, open, open.video, renditions, take)
  })
}

/** Runs ffmpeg with all outputs. The first failure is the reason; it kills ffmpeg and thereby ends the rest. */
async function run(
  ffmpeg: FfmpegProcess,
  open: OpenPiece,
  video: OpenTrack<VideoFacts>,
  renditions: readonly SizedRendition[],
  take: TakeRenditionBytes,
): Promise<EncodedRendition[]> {
  const { child, ended } = ffmpeg
  let reason: { readonly error: unknown } | undefined
  const orKill = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      reason ??= { error }
      child.kill('SIGKILL')
      return undefined
    })
  const outputs = renditions.map((rendition, index) => {
    const pipe = child.stdio[3 + index] as Readable
    return orKill(
      layOutRendition(
        pipe,
        rendition,
        video,
        open.passing((bytes: Buffer) => take(rendition.name, bytes)),
      ),
    )
  })
  const fed = orKill(feed(ffmpeg, open, video))
  const encoded = await Promise.all(outputs)
  await Promise.all([fed, orKill(ended)])
  if (reason) throw reason.error
  return encoded.map((rendition) => {
    if (!rendition) throw new MediaError('The video cannot be decoded: ffmpeg returned no frame of the piece.')
    return rendition
  })
}

/** Feeds ffmpeg. Its timeline includes the time before 0, so there is no edit list. */
async function feed({ child, ended }: FfmpegProcess, open: OpenPiece, { facts }: OpenTrack<VideoFacts>): Promise<void> {
  const stdin = child.stdin as Writable
  const write = async (bytes: Buffer) => {
    const failed = await new Promise<boolean>((resolve) => stdin.write(bytes, (error) => resolve(Boolean(error))))
    if (!failed) return
    await ended // rejects with the reason
    throw new MediaError('ffmpeg stopped reading the piece before its end.')
  }
  await write(writeInitSegment({ ...facts, lead: 0 }))
  await open.copy((_, bytes) => write(bytes))
  stdin.end()
}

interface EncodingPlan {
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
const renditionArguments = (renditions: readonly SizedRendition[], plan: EncodingPlan): string[] => [
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
