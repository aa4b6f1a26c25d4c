import { readFfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import { MediaError } from '../media-error.ts'
import { decodeKeyframes, type Keyframe, type KeyframeTrack, placeOf, type Size } from './keyframes.ts'

/** A small decoded picture (I420, video range: black is 16, white 235). */
export interface KeyframePicture {
  /** Seconds into the recording. */
  readonly time: number
  /** `width` × `height` bytes of brightness, then two planes of colour of a quarter each. */
  readonly planes: Buffer
  readonly luma: Buffer
}

export interface PictureSize extends Size {
  /** False for pixels that are not square: the picture is then stretched to the size. */
  readonly squarePixels: boolean
}

/** Returns a video's size with `longest` pixels on its longer side, in even numbers; never larger than it is. */
export function fitInside({ width, height, squarePixels }: KeyframeTrack, longest: number): PictureSize {
  const factor = Math.min(1, longest / Math.max(width, height))
  return { width: toEven(width * factor), height: toEven(height * factor), squarePixels }
}

/** Returns the nearest even length, since planes of colour are half as wide and high. */
export const toEven = (length: number) => Math.max(2, Math.round(length / 2) * 2)

/**
 * Decodes keyframes to pictures of one size, also when the resolution changes between them: another shape is fitted in,
 * with black beside it. Holds all of them in memory.
 * @throws {@link MediaError} when one of them cannot be decoded, since the others could not be assigned to their times
 */
export async function decodePictures(
  ffmpegPath: string,
  keyframes: AsyncIterable<Keyframe> | Iterable<Keyframe>,
  { width, height, squarePixels }: PictureSize,
): Promise<KeyframePicture[]> {
  const times: number[] = []
  async function* recordTimes() {
    for await (const keyframe of keyframes) {
      times.push(keyframe.time)
      yield keyframe
    }
  }
  const shape = squarePixels ? 'force_original_aspect_ratio=decrease:' : ''
  const fit = `scale=${width}:${height}:${shape}flags=area+accurate_rnd+bitexact`
  const filter = `${fit},pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p`
  const { frameTiming } = await readFfmpegBuild(ffmpegPath)
  // One picture for each keyframe: none is dropped or doubled for its time.
  const output = ['-vf', filter, frameTiming, 'passthrough', '-threads', '1', '-f', 'rawvideo', 'pipe:1']
  const bytes = await decodeKeyframes(ffmpegPath, recordTimes(), output)
  const length = (width * height * 3) / 2
  if (bytes.length !== times.length * length) {
    const decoded = Math.floor(bytes.length / length)
    throw new MediaError(`Only ${decoded} of ${times.length} keyframes ${placeOf(times)} can be decoded.`)
  }
  return times.map((time, n) => {
    const planes = bytes.subarray(n * length, (n + 1) * length)
    return { time, planes, luma: planes.subarray(0, width * height) }
  })
}
