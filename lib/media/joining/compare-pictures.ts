import { decodingLimits, runFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import type { Agreement } from './agreement.ts'
import type { ReadSegments } from './read-segments.ts'

/** Pixels of compared pictures: enough to show a clock in a corner. */
const WIDTH = 64
const HEIGHT = 36
const PIXELS = WIDTH * HEIGHT
/** Steps of brightness that an encoder may add to a pixel: smaller changes mean little. */
const NOISE = 6
/** Minimum number of pictures to compare. */
const MIN_PICTURES = 15

export interface Pictures {
  /** Seconds of the part. */
  readonly times: readonly number[]
  /** Deviation of each pixel of each picture from its mean over all pictures. */
  readonly deviations: Float32Array
}

/** Decodes all pictures of some segments, small and without colour, and keeps those between two times of the part. */
export async function decodeComparedPictures(
  ffmpegPath: string,
  { stream, frames, timescale }: ReadSegments,
  [from, until]: readonly [number, number],
): Promise<Pictures> {
  const scale = `scale=${WIDTH}:${HEIGHT}:flags=area,format=gray`
  const { frameTiming } = await readFfmpegBuild(ffmpegPath)
  const bytes = await runFfmpeg(
    ffmpegPath,
    [
      ...[...decodingLimits(1), '-ignore_editlist', '1', '-f', 'mp4', '-i', 'pipe:0', '-map', '0:v'],
      ...['-vf', scale, frameTiming, 'passthrough', '-threads', '1', '-f', 'rawvideo', 'pipe:1'],
    ],
    stream,
  )
  const count = Math.floor(bytes.length / PIXELS)
  // Pictures that cannot be decoded precede the first keyframe.
  const all = frames.map(({ time }) => time / timescale).sort((a, b) => a - b)
  const times = all.slice(Math.max(0, all.length - count))
  const wanted = times.flatMap((time, index) => (time >= from && time < until ? [index] : []))
  return {
    times: wanted.map((index) => times[index] as number),
    deviations: deviations(wanted.map((index) => bytes.subarray(index * PIXELS, (index + 1) * PIXELS))),
  }
}

/** Computes deviations, divided by their spread: a slightly changing pixel counts as much as a flashing one. */
function deviations(pictures: readonly Uint8Array[]): Float32Array {
  const result = new Float32Array(pictures.length * PIXELS)
  for (let pixel = 0; pixel < PIXELS; pixel++) {
    let [sum, squares] = [0, 0]
    for (const picture of pictures) {
      const value = picture[pixel] as number
      sum += value
      squares += value * value
    }
    const mean = sum / pictures.length
    const spread = Math.sqrt(Math.max(0, squares / pictures.length - mean * mean)) + NOISE
    for (const [index, picture] of pictures.entries()) {
      result[index * PIXELS + pixel] = ((picture[pixel] as number) - mean) / spread
    }
  }
  return result
}

/** Compares the later part's pictures with the earlier one's, for each shift that leaves enough of them. */
export function comparePictures(earlier: Pictures, later: Pictures, shifts: readonly number[]): Agreement[] {
  const own = { earlier: energies(earlier), later: energies(later) }
  const likeness = likenessOf(earlier, later)
  return shifts.flatMap((shift) => {
    let [count, both, one, other] = [0, 0, 0, 0]
    for (const [index, time] of later.times.entries()) {
      const shown = shownAt(earlier.times, time + shift)
      if (shown === undefined) continue
      count += 1
      both += likeness(shown, index)
      one += own.earlier[shown] as number
      other += own.later[index] as number
    }
    if (count < Math.max(MIN_PICTURES, later.times.length / 2)) return []
    return [{ shift, score: one * other > 0 ? both / Math.sqrt(one * other) : 0 }]
  })
}

const pictureAt = ({ deviations }: Pictures, index: number) => deviations.subarray(index * PIXELS, (index + 1) * PIXELS)

const energies = (pictures: Pictures): number[] =>
  pictures.times.map((_, index) => product(pictureAt(pictures, index), pictureAt(pictures, index)))

/** Returns a comparison that computes each pair of pictures once, since several shifts need it. */
function likenessOf(earlier: Pictures, later: Pictures) {
  const known = new Map<number, number>()
  return (one: number, other: number): number => {
    const pair = one * later.times.length + other
    const found = known.get(pair) ?? product(pictureAt(earlier, one), pictureAt(later, other))
    known.set(pair, found)
    return found
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number)
  return sum
}

/** Returns the index of the picture nearest to a time, within NEAR. */
function shownAt(times: readonly number[], time: number): number | undefined {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) < time) low = middle + 1
    else high = middle
  }
  const near = [low - 1, low].filter((index) => Math.abs((times[index] ?? Number.NaN) - time) <= NEAR)
  return near.sort((a, b) => Math.abs((times[a] as number) - time) - Math.abs((times[b] as number) - time))[0]
}

/** Seconds; frames may be missing where nothing moves. */
const NEAR = 0.1
