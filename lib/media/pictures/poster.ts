import type { ByteSource } from '../byte-source.ts'
import { clockTime } from '../clock-time.ts'
import { isOfMedia, MediaError } from '../media-error.ts'
import { withIndex } from '../mp4/tables/with-tables.ts'
import { jpegOutput } from './jpeg.ts'
import { decodePictures, fitInside, type PictureSize, toEven } from './keyframe-pictures.ts'
import { decodeKeyframes, type Keyframe, type KeyframeTrack, openKeyframes, type Size } from './keyframes.ts'
import { judgePicture } from './picture-quality.ts'

export interface PosterOptions {
  readonly ffmpegPath: string
  readonly source: ByteSource
  /** In pixels, at least 2; default 1280. A narrower video keeps its own width. */
  readonly width?: number
}

export interface Poster extends Size {
  readonly jpeg: Buffer
  /** Seconds into the recording. */
  readonly time: number
}

/** Keyframes among which the poster is chosen. */
export const CANDIDATES = 5
/** Judged on small pictures: detail that survives this is detail a viewer of a thumbnail sees. */
const JUDGED_LENGTH = 160
const QUALITY = 3

/**
 * Makes a picture that stands for a recording: of up to five keyframes spread over it, the sharpest that is neither black nor
 * blank; when all are, still the sharpest. Damaged ones are left out. Reads the index and these keyframes only. Undefined when
 * there is no video. A rotation noted in the file is not applied.
 * @throws MediaError for a file that is no whole MP4, for video that is not H.264 or of which no candidate can be decoded, and
 *   when ffmpeg fails; whatever the source rejects with, unchanged
 */
export async function makePoster({ ffmpegPath, source, width = 1280 }: PosterOptions): Promise<Poster | undefined> {
  const video = await withIndex(source, async (mp4) => {
    const keyframes = await openKeyframes(mp4, source, 'A poster')
    if (!keyframes) return undefined
    const { start, end } = keyframes
    const times = Array.from({ length: CANDIDATES }, (_, n) => start + ((n + 0.5) / CANDIDATES) * (end - start))
    return {
      ...keyframes,
      judgedAs: fitInside(keyframes, JUDGED_LENGTH),
      candidates: await readEach(keyframes, times),
    }
  })
  const [first] = video?.candidates ?? []
  if (!video || !first) return undefined
  const best = video.candidates.length === 1 ? first : await pickBest(ffmpegPath, video.candidates, video.judgedAs)
  const size = fitWidth(video, width)
  return { jpeg: await encodeJpeg(ffmpegPath, best, size), time: best.time, ...size }
}

/** Each once, since a short recording has fewer keyframes than we try. */
async function readEach(keyframes: KeyframeTrack, times: readonly number[]): Promise<Keyframe[]> {
  const found = await undamaged(times, (time) => Array.fromAsync(keyframes.read([time])))
  return [...new Map(found.flat().map((keyframe) => [keyframe.time, keyframe])).values()]
}

/** What can be made of these, without those that are damaged. @throws MediaError of the first when all of them are */
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

/** All at once, or else one by one: only so it is seen which of them are damaged. */
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

/** Even numbers, since half of them are the size of the colour planes. */
function fitWidth(video: Size, width: number): Size {
  const fitted = Math.min(width, video.width)
  return { width: toEven(fitted), height: toEven((video.height * fitted) / video.width) }
}
