import type { ByteSource } from '../byte-source.ts'
import { withIndex } from '../mp4/tables/with-tables.ts'
import { decodePictures, fitInside } from '../pictures/keyframe-pictures.ts'
import { type KeyframeTrack, openKeyframes } from '../pictures/keyframes.ts'
import { isBlack } from '../pictures/picture-quality.ts'
import type { TimeRange } from '../time-range.ts'

export interface FindBlackOptions {
  readonly ffmpegPath: string
  readonly source: ByteSource
}

/**
 * Returns the largest size in bytes of a black keyframe. One takes about a bit for 32 pixels at any bit rate, and a
 * kilobyte of encoder settings; one larger than four times that shows something. So the index alone rules out nearly
 * every keyframe of most recordings.
 */
const largestBlack = ({ width, height }: KeyframeTrack) => (width * height) / 64 + 1024
/** Bounds the keyframes read. More are sampled evenly, as in a still picture of twelve hours. */
const MAX_READ = 2000
/** Keyframes decoded by one ffmpeg. */
const BATCH = 250
/** Pixels of the longer side of the pictures that are examined. */
const PICTURE_LENGTH = 64

/**
 * Finds the black passages of a recording (a logo may stay) by its keyframes: each lasts from the first black keyframe to the
 * next one that is not black. Reads the index and the few keyframes that are small enough to be black. Of more than 2,000 such
 * keyframes it reads every second, third and so on, each of which also counts for those after it. Returns none without video.
 * @throws {@link MediaError} for an incomplete MP4, for video that is not H.264 or cannot be decoded, and when ffmpeg fails
 */
export function findBlack({ ffmpegPath, source }: FindBlackOptions): Promise<TimeRange[]> {
  return withIndex(source, async (mp4) => {
    const keyframes = await openKeyframes(mp4, source, 'Finding black')
    if (!keyframes) return []
    const all = await Array.fromAsync(keyframes.list())
    const small = all.filter(({ size }) => size <= largestBlack(keyframes)).map(({ time }) => time)
    const step = Math.ceil(small.length / MAX_READ)
    const read = small.filter((_, n) => n % step === 0)
    const black = await pickBlack(ffmpegPath, keyframes, read)
    const sampleOf = new Map(small.map((time, n) => [time, read[Math.floor(n / step)]]))
    return joinBlack(
      all.map(({ time }) => ({ time, isBlack: black.has(sampleOf.get(time)) })),
      keyframes.end,
    )
  })
}

/** Returns the times of those keyframes that are black. */
async function pickBlack(ffmpegPath: string, keyframes: KeyframeTrack, times: readonly number[]) {
  const size = fitInside(keyframes, PICTURE_LENGTH)
  const black = new Set<number | undefined>()
  for (let first = 0; first < times.length; first += BATCH) {
    const some = keyframes.read(times.slice(first, first + BATCH))
    for (const { time, luma } of await decodePictures(ffmpegPath, some, size)) if (isBlack(luma)) black.add(time)
  }
  return black
}

function joinBlack(keyframes: readonly { time: number; isBlack: boolean }[], end: number): TimeRange[] {
  const passages: TimeRange[] = []
  let since: number | undefined
  for (const { time, isBlack } of [...keyframes, { time: end, isBlack: false }]) {
    if (isBlack) since ??= time
    else if (since !== undefined) {
      passages.push({ start: since, end: time })
      since = undefined
    }
  }
  return passages
}
