import { join } from 'node:path'
import { FRAMES_PER_SECOND, SAMPLES_PER_SECOND } from '../timebase.ts'

/** Length of an HLS segment and the distance of key frames, in seconds. */
export const SEGMENT_SECONDS = 2
export const PLAYLIST_FILE = 'index.m3u8'

/** What an encoder is to make; sound comes in by file descriptor 3, the picture by standard input. */
export interface EncodingSpec {
  readonly width: number
  readonly height: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly target:
    | { readonly type: 'mp4'; readonly path: string }
    | { readonly type: 'webm'; readonly path: string }
    | { readonly type: 'hls'; readonly directory: string }
}

/** The command line that encodes so; it makes the same bytes of the same frames every time. */
export function encodingArguments({ width, height, hasAudio, hasVideo, target }: EncodingSpec): string[] {
  const frameRate = String(FRAMES_PER_SECOND)
  const pictures = [...RAW_INPUT, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', frameRate]
  const sound = [...RAW_INPUT, '-f', 's16le', '-ar', String(SAMPLES_PER_SECOND), '-ac', '1']
  const [video, audio] = target.type === 'webm' ? [VP8, OPUS] : [H264, AAC]
  return [
    ...(hasVideo ? [...pictures, '-i', 'pipe:0'] : []),
    ...(hasAudio ? [...sound, '-i', 'pipe:3'] : []),
    ...(hasVideo ? ['-map', '0:v', ...video] : []),
    ...(hasAudio ? ['-map', `${hasVideo ? 1 : 0}:a`, ...audio] : []),
    ...REPEATABLE,
    ...(target.type === 'hls' ? hls(target.directory) : ['-f', target.type, target.path]),
  ]
}

/** Without the first two, ffmpeg reads ahead in one pipe to guess its format while we wait for it to read the other. */
const RAW_INPUT = ['-probesize', '32', '-analyzeduration', '0', '-thread_queue_size', '64']

const KEY_FRAME_DISTANCE = String(SEGMENT_SECONDS * FRAMES_PER_SECOND)

/**
 * Key frames at a fixed distance, so that segments are equally long; no frames out of order, so that the first one is
 * shown at 0; one thread, so that the bytes do not depend on the machine. The colours are those of standard definition.
 */
const H264 = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '21', '-pix_fmt', 'yuv420p', '-bf', '0', '-threads:v', '1'],
  ...['-g', KEY_FRAME_DISTANCE, '-keyint_min', KEY_FRAME_DISTANCE, '-sc_threshold', '0'],
  ...['-x264-params', 'colorprim=smpte170m:transfer=smpte170m:colormatrix=smpte170m:fullrange=off'],
]

const AAC = ['-c:a', 'aac', '-b:a', '96k']

/**
 * VP8 at a fixed speed costs as little as the H.264 above: 2 % of a core for 640x480. The speed must be given as a negative
 * number: with a positive one libvpx goes by how busy the machine is, and the bytes differ from run to run.
 */
const VP8 = [
  ...['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '-8', '-crf', '10', '-b:v', '1M', '-pix_fmt', 'yuv420p'],
  ...['-g', KEY_FRAME_DISTANCE, '-auto-alt-ref', '0', '-lag-in-frames', '0', '-threads:v', '1'],
]

const OPUS = ['-c:a', 'libopus', '-b:a', '64k']

/** No version, no date, nothing else that differs from run to run. */
const REPEATABLE = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact']

/** Segments and playlist appear under their names only when they are complete (a build of 2018 cannot, and says so on standard error). */
const hls = (directory: string) => [
  ...['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS), '-hls_list_size', '0', '-hls_playlist_type', 'event'],
  ...['-hls_flags', 'temp_file+independent_segments'],
  ...['-hls_segment_filename', join(directory, 'segment-%05d.ts'), join(directory, PLAYLIST_FILE)],
]
