import { limitsOfVideo } from '../../../../lib/media/hls/live/live-multivariant.ts'
import { LIVE_SEGMENT_SECONDS } from '../../../../lib/media/hls/live/live-timeline.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_SECOND } from '../timebase.ts'
import { type BroadcastTarget, broadcastArguments, type LiveRendition } from './broadcast-target.ts'
import { fragmentsArguments } from './safe-mp4.ts'

/** Seconds between key frames: the length of a broadcast's segments. */
const KEY_FRAME_SECONDS = LIVE_SEGMENT_SECONDS

/** Output of an encoder. It reads audio from file descriptor 3, and pictures from standard input. */
export interface EncodingSpec {
  readonly width: number
  readonly height: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly target:
    | { readonly type: 'mp4'; readonly path: string }
    | { readonly type: 'webm'; readonly path: string }
    | BroadcastTarget
    | LiveTarget
}

/** Target of an encoding for clients: IVF with VP8 on standard output, and Ogg with Opus on file descriptor 4. */
interface LiveTarget {
  readonly type: 'live'
}

/** Returns ffmpeg's arguments for an encoding, which makes the same bytes of the same frames every time. */
export function encodingArguments({ width, height, hasAudio, hasVideo, target }: EncodingSpec): string[] {
  const frameRate = String(FRAMES_PER_SECOND)
  const pictures = [...RAW_INPUT, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', frameRate]
  const samples = [...RAW_INPUT, '-f', 's16le', '-ar', String(SAMPLES_PER_SECOND), '-ac', '1']
  const inputs = [...(hasVideo ? [...pictures, '-i', 'pipe:0'] : []), ...(hasAudio ? [...samples, '-i', 'pipe:3'] : [])]
  if (target.type === 'live') {
    const picture = ['-map', '0:v', ...liveVp8(width * height), ...AT_ONCE, '-f', 'ivf', 'pipe:1']
    const audio = ['-map', `${hasVideo ? 1 : 0}:a`, ...OPUS, ...AT_ONCE, ...PACKET_PER_PAGE, '-f', 'ogg', 'pipe:4']
    return [...inputs, ...(hasVideo ? picture : []), ...(hasAudio ? audio : [])]
  }
  const [video, audio] = target.type === 'webm' ? [VP8, OPUS] : [H264, AAC]
  const ladder = target.type === 'broadcast' ? target.hls?.ladder : undefined
  return [
    ...inputs,
    ...(hasVideo ? [...(ladder ? scaled(ladder) : ['-map', '0:v']), ...video] : []),
    ...(hasAudio ? ['-map', `${hasVideo ? 1 : 0}:a`, ...audio] : []),
    ...repeatable(target.type === 'broadcast'),
    ...muxing(target),
  ]
}

function muxing(target: Exclude<EncodingSpec['target'], LiveTarget>): string[] {
  if (target.type === 'broadcast') return broadcastArguments(target)
  return target.type === 'mp4' ? fragmentsArguments(target.path) : [...WEBM, target.path]
}

/** Returns options that encode the pictures in several sizes, each with its own bit rate. Keyframes are aligned. */
function scaled([first, ...smaller]: readonly LiveRendition[]): string[] {
  const all = [...(first ? [first] : []), ...smaller]
  const branches = smaller.map(
    ({ width, height }, index) => `[s${index}]scale=${width}:${height}:flags=bilinear[v${index}]`,
  )
  const split = `[0:v]split=${all.length}[v]${smaller.map((_, index) => `[s${index}]`).join('')}`
  return [
    ...['-filter_complex', [split, ...branches].join(';'), '-map', '[v]'],
    ...smaller.flatMap((_, index) => ['-map', `[v${index}]`]),
    ...all.flatMap((rendition, index) => {
      const { maxBitrate, buffer } = limitsOfVideo(rendition)
      return [`-maxrate:v:${index}`, String(maxBitrate), `-bufsize:v:${index}`, String(buffer)]
    }),
  ]
}

/**
 * Opus begins 7 ms before the audio; without the first option ffmpeg would delay the first picture by that. The other
 * options write encoded media to the disk within a second, so that it can be played if ffmpeg is killed.
 */
const WEBM = ['-avoid_negative_ts', 'disabled', '-cluster_time_limit', '1000', '-flush_packets', '1', '-f', 'webm']

/** Returns ffmpeg's arguments, except the output, to finish a webm whose encoder was killed. */
export const finishWebmArguments = (path: string) => [
  ...['-copyts', '-i', path, '-map', '0', '-c', 'copy', '-map_metadata', '-1', '-fflags', '+bitexact'],
  ...WEBM,
]

/** The first two prevent a deadlock: ffmpeg would read ahead in one pipe while the sandbox waits at the other. */
const RAW_INPUT = ['-probesize', '32', '-analyzeduration', '0', '-thread_queue_size', '64']

const keyFramesEvery = (seconds: number) => ['-g', String(seconds * FRAMES_PER_SECOND)]

/**
 * Key frames at a fixed distance make segments equally long. Without B-frames the first frame is shown at 0. With one thread
 * the bytes do not depend on the machine. The colours are those of standard definition.
 */
const H264 = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '21', '-pix_fmt', 'yuv420p', '-bf', '0', '-threads:v', '1'],
  ...[...keyFramesEvery(KEY_FRAME_SECONDS), '-keyint_min', String(KEY_FRAME_SECONDS * FRAMES_PER_SECOND)],
  ...['-sc_threshold', '0'],
  ...['-x264-params', 'colorprim=smpte170m:transfer=smpte170m:colormatrix=smpte170m:fullrange=off'],
]

const AAC = ['-c:a', 'aac', '-b:a', '96k']

/**
 * VP8 at a fixed speed costs as little as the H.264 above: 2 % of a core for 640x480. The speed must be a negative number:
 * with a positive one libvpx adapts to the load of the machine, and the bytes differ from run to run.
 */
const VP8 = [
  ...['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '-8', '-crf', '10', '-b:v', '1M', '-pix_fmt', 'yuv420p'],
  ...[...keyFramesEvery(KEY_FRAME_SECONDS), '-auto-alt-ref', '0', '-lag-in-frames', '0', '-threads:v', '1'],
]

/** Bits for each pixel of a second: 0.9 Mbit/s for 640x480, 2.8 Mbit/s for 1280x720. */
const LIVE_BITS_PER_PIXEL = 3

/** A keyframe each half second, so that clients soon receive a picture: ffmpeg makes none on request. */
const liveVp8 = (pixels: number) => [
  ...['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '-8', '-pix_fmt', 'yuv420p', '-threads:v', '1'],
  ...[
    '-b:v',
    String(LIVE_BITS_PER_PIXEL * pixels),
    '-auto-alt-ref',
    '0',
    '-lag-in-frames',
    '0',
    ...keyFramesEvery(0.5),
  ],
]

const AT_ONCE = ['-flush_packets', '1']
/** In microseconds: the length of an Opus packet. By default, a page holds a second. */
const PACKET_PER_PAGE = ['-page_duration', '20000']

const OPUS = ['-c:a', 'libopus', '-b:a', '64k']

/**
 * Returns options that leave out versions, dates and everything else that differs from run to run. Broadcasts have their
 * codec parameters in a global header, as FLV and init segments need them, instead of in each key frame.
 */
function repeatable(hasGlobalHeader: boolean): string[] {
  const flags = hasGlobalHeader ? '+bitexact+global_header' : '+bitexact'
  return ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', flags, '-flags:a', flags]
}
