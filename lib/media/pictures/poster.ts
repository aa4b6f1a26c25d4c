import type { ByteSource } from '../byte-source.ts'
import { isOfMedia, MediaError } from '../media-error.ts'
import { withIndex } from '../mp4/tables/with-tables.ts'
import { clockTime } from '../time-range.ts'
import { jpegOutput } from './jpeg.ts'
import { decodePictures, fitInside, type PictureSize, toEven } from './keyframe-pictures.ts'
import { decodeKeyframes, type Keyframe, type KeyframeTrack, openKeyframes, type Size } from './keyframes.ts'
import { judgePicture } from './picture-quality.ts'

export interface PosterOptions {
  readonly ffmpegPath: string
  readonly source: ByteSource
  /** Pixels, at least 2. A narrower video keeps its own width. @default 1280 */
  readonly width?: number
}

/** Number of keyframes among which the poster is chosen. */
export const CANDIDATES = 5
/** Pixels of the longer side of the pictures that are rated: detail at this size is visible in a thumbnail. */
const RATED_LENGTH = 160
const QUALITY = 3

/**
 * Makes the poster of a recording: of up to five keyframes spread over it, the sharpest that is neither black nor blank; when
 * all are, the sharpest. Skips damaged keyframes. Reads the index and these keyframes only. Undefined without video. A
 * rotation in the file is not applied. `time` is in seconds into the recording.
 * @throws {@link MediaError} for an incomplete MP4, for video that is not H.264 or has no decodable candidate, and when ffmpeg
 *   fails
 */
export async function makePoster({ ffmpegPath, source, width = 1280 }: PosterOptions) {
  const video = await withIndex(source, async (mp4) => {
    const keyframes = await openKeyframes(mp4, source, 'A poster')
    if (!keyframes) return undefined
    const { start, end } = keyframes
    const times = Array.from({ length: CANDIDATES }, (_, n) => start + ((n + 0.5) / CANDIDATES) * (end - start))
    return {
      ...keyframes,
      ratedSize: fitInside(keyframes, RATED_LENGTH),
      candidates: await readEach(keyframes, times),
    }
  })
  const [first] = video?.candidates ?? []
  if (!video || !first) return undefined
  const best = video.candidates.length === 1 ? first : await pickBest(ffmpegPath, video.candidates, video.ratedSize)
  const size = fitWidth(video, width)
  return { jpeg: await encodeJpeg(ffmpegPath, best, size), time: best.time, ...size }
}

/** Reads each keyframe once: a short recording has fewer keyframes than candidates. */
async function readEach(keyframes: KeyframeTrack, times: readonly number[]): Promise<Keyframe[]> {
  const found = await undamaged(times, (time) => Array.fromAsync(keyframes.read([time])))
  return [...new Map(found.flat().map((keyframe) => [keyframe.time, keyframe])).values()]
}

/** Returns the results of the undamaged inputs. @throws {@link MediaError} of the first one when all are damaged */
async function undamaged<From, To>(from: readonly From[], make: (from: From) => Promise<To>): Promise<To[]> {
  const made: To[] = []
  let damage: MediaError | undefined
  for (const result of await Promise.allSettled(from.map(make))) {
    if (result.status === 'fulfilled') made.push(result.value)
    else if (isOfMedia(result.reason)) damage ??= result.reason
    else throw result.reason
  }
  if (made.length === 0 && damage) throw damage
  return made
}

async function pickBest(ffmpegPath: string, keyframes: readonly Keyframe[], size: PictureSize): Promise<Keyframe> {
  const judged = (await decodeEach(ffmpegPath, keyframes, size)).map(({ keyframe, luma }) => ({
    keyframe,
    ...judgePicture(luma, size.width, size.height),
  }))
  const worth = judged.filter(({ showsSomething }) => showsSomething)
  return (worth.length ? worth : judged).reduce((a, b) => (b.sharpness > a.sharpness ? b : a)).keyframe
}

/** Decodes all at once. If that fails, it decodes one by one, which shows the damaged ones. */
async function decodeEach(ffmpegPath: string, keyframes: readonly Keyframe[], size: PictureSize) {
  const decode = async (some: readonly Keyframe[]) => {
    const pictures = await decodePictures(ffmpegPath, some, size)
    return some.map((keyframe, n) => ({ keyframe, luma: pictures[n]?.luma ?? new Uint8Array() }))
  }
  try {
    return await decode(keyframes)
  } catch (error) {
    if (!isOfMedia(error)) throw error
    return (await undamaged(keyframes, (keyframe) => decode([keyframe]))).flat()
  }
}

async function encodeJpeg(ffmpegPath: string, keyframe: Keyframe, size: Size): Promise<Buffer> {
  const jpeg = await decodeKeyframes(ffmpegPath, [keyframe], jpegOutput(size, QUALITY))
  if (jpeg.length === 0) throw new MediaError(`The picture cannot be decoded at ${clockTime(keyframe.time)}.`)
  return jpeg
}

/** Fits a size to a width, in even numbers: planes of colour have half of it. */
function fitWidth(video: Size, width: number): Size {
  const fitted = Math.min(width, video.width)
  return { width: toEven(fitted), height: toEven((video.height * fitted) / video.width) }
}
