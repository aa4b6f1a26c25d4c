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
 * A black keyframe takes about a bit for 32 pixels, whatever the bit rate, and a kilobyte of the encoder's own words; one
 * larger than four times that shows something. So the index alone rules out nearly every keyframe of most recordings.
 */
const largestBlack = ({ width, height }: KeyframeTrack) => (width * height) / 64 + 1024
/** So many keyframes are read at most: evenly chosen where more are small, as in a still picture of twelve hours. */
const MAX_READ = 2000
const AT_ONCE = 250
/** Pixels of the longer side of what is looked at. */
const PICTURE_LENGTH = 64

/**
 * Finds where a recording is black, but for a logo, by its keyframes: from the first black one up to the next one that is not.
 * What happens between two keyframes is not seen. Reads the index and the few keyframes that are small enough to be black; of
 * more than 2,000 such keyframes it reads every second, third …, which then speak for those between them. None without video.
 * @throws MediaError for a file that is no whole MP4, for video that is not H.264 or cannot be decoded, and when ffmpeg fails;
 *   whatever the source rejects with, unchanged
 */
export function findBlack({ ffmpegPath, source }: FindBlackOptions): Promise<TimeRange[]> {
  return withIndex(source, async (mp4) => {
    const keyframes = await openKeyframes(mp4, source, 'Looking for black')
    if (!keyframes) return []
    const all = await Array.fromAsync(keyframes.list())
    const small = all.filter(({ size }) => size <= largestBlack(keyframes)).map(({ time }) => time)
    const step = Math.ceil(small.length / MAX_READ)
    const read = small.filter((_, n) => n % step === 0)
    const black = await pickBlack(ffmpegPath, keyframes, read)
    const speaker = new Map(small.map((time, n) => [time, read[Math.floor(n / step)]]))
    return joinStretches(
      all.map(({ time }) => ({ time, isBlack: black.has(speaker.get(time)) })),
      keyframes.end,
    )
  })
}

/** Which of these keyframes are black, by their times. */
async function pickBlack(ffmpegPath: string, keyframes: KeyframeTrack, times: readonly number[]) {
  const size = fitInside(keyframes, PICTURE_LENGTH)
  const black = new Set<number | undefined>()
  for (let first = 0; first < times.length; first += AT_ONCE) {
    const some = keyframes.read(times.slice(first, first + AT_ONCE))
    for (const { time, luma } of await decodePictures(ffmpegPath, some, size)) if (isBlack(luma)) black.add(time)
  }
  return black
}

function joinStretches(keyframes: readonly { time: number; isBlack: boolean }[], end: number): TimeRange[] {
  const stretches: TimeRange[] = []
  let since: number | undefined
  for (const { time, isBlack } of [...keyframes, { time: end, isBlack: false }]) {
    if (isBlack) since ??= time
    else if (since !== undefined) {
      stretches.push({ start: since, end: time })
      since = undefined
    }
  }
  return stretches
}
