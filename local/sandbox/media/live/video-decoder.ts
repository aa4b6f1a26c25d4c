import type { Picture, Size } from '../composing/picture.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import type { EncodedFrame } from './frame-assembler.ts'
import { ivfFrame, ivfHeader } from './ivf.ts'
import type { VideoCodec } from './packets.ts'
import { startPipeDecoder } from './pipe-decoder.ts'

/** Decodes the pictures of one size, from a keyframe on. */
export interface VideoDecoder {
  /** Of the keyframe that it was started with. */
  readonly encoded: Size
  /** Of the pictures that it gives. */
  readonly size: Size
  readonly isOver: boolean
  /** @param time milliseconds since the epoch, when the frame was captured */
  write(frame: EncodedFrame, time: number): void
  /** Returns true when it can give a picture of that time. */
  isReady(time: number): boolean
  /** Replaces a picture by the last one that is not later than a time; false when there is no newer one. */
  show(time: number, picture: Picture): boolean
  kill(): Promise<void>
}

const MAX = { width: 1280, height: 720 }
/** Decoded pictures that may wait: two seconds. */
const MAX_PICTURES = 2 * FRAMES_PER_SECOND

/** Returns the size in which pictures are decoded: their own, or as much smaller as 1280x720 wants it. */
export function decodedSize({ width, height }: Size): Size {
  const scale = Math.min(1, MAX.width / width, MAX.height / height)
  const even = (length: number) => Math.max(2, 2 * Math.round((length * scale) / 2))
  return { width: even(width), height: even(height) }
}

/** Starts a decoder with a keyframe. ffmpeg repeats and drops pictures so that the n-th is that of frame n since `start`. */
export function startVideoDecoder(ffmpegPath: string, codec: VideoCodec, encoded: Size, start: number): VideoDecoder {
  const size = decodedSize(encoded)
  const bytes = (size.width * size.height * 3) / 2
  const decoder = startPipeDecoder(ffmpegPath, decodingArguments(size), bytes, MAX_PICTURES)
  let shown = 0
  let last = -1
  const frameAt = (time: number) => Math.round(((time - start) * FRAMES_PER_SECOND) / 1000)
  decoder.write(ivfHeader(codec, encoded))

  return {
    encoded,
    size,
    get isOver() {
      return decoder.isOver
    },
    write({ data }, time) {
      last = Math.max(last + 1, Math.round(time - start))
      decoder.write(ivfFrame(data, last))
    },
    isReady: (time) => frameAt(time) >= shown && decoder.has(bytes),
    show(time, picture) {
      const before = shown
      for (const wanted = frameAt(time); shown <= wanted && decoder.has(bytes); shown++) decoder.fill(picture.data)
      return shown > before
    },
    kill: decoder.kill,
  }
}

/** Without `-fflags nobuffer`, which would drop the packets that ffmpeg has probed: the keyframe. */
const decodingArguments = ({ width, height }: Size) => [
  ...['-filter_threads', '1', '-threads', '1', '-probesize', '32', '-analyzeduration', '0'],
  ...['-flags', 'low_delay', '-f', 'ivf', '-i', 'pipe:0'],
  ...['-vf', pictureFilters(width, height), '-threads', '1', '-f', 'rawvideo', 'pipe:1'],
]

const pictureFilters = (width: number, height: number) =>
  [
    `fps=${FRAMES_PER_SECOND}:start_time=0`,
    `scale=${width}:${height}:flags=area:out_color_matrix=bt601:out_range=tv`,
    'format=yuv420p',
  ].join()
