import { runFfmpeg } from '../ffmpeg/ffmpeg.ts'
import type { Agreement } from './agreement.ts'
import type { ReadSegments } from './read-segments.ts'

/** Samples per second of compared audio: enough for voices and beeps, to an eighth of a millisecond. */
const SAMPLE_RATE = 8000
/** Samples in one value of loudness, by which audio is compared first. */
const WINDOW = 32
/** Number of best shifts by loudness that are compared sample by sample. */
const CANDIDATES = 12
/** Maximum amplitude (16 bits) of inaudible audio. */
const AUDIBLE = 30

export interface Audio {
  /** Seconds of the part at which the first sample is heard. */
  readonly start: number
  readonly samples: Int16Array
}

export async function decodeAudio(ffmpegPath: string, { stream, frames, timescale }: ReadSegments): Promise<Audio> {
  const bytes = await runFfmpeg(
    ffmpegPath,
    [
      ...['-threads', '1', '-ignore_editlist', '1', '-f', 'mp4', '-i', 'pipe:0', '-map', '0:a'],
      ...['-ac', '1', '-ar', String(SAMPLE_RATE), '-f', 's16le', 'pipe:1'],
    ],
    stream,
  )
  const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~1)))
  return { start: (frames[0]?.time ?? 0) / timescale, samples }
}

/** Returns the audio between two times of the part. */
export function between({ start, samples }: Audio, [from, until]: readonly [number, number]): Audio {
  const first = Math.max(0, Math.round((from - start) * SAMPLE_RATE))
  const last = Math.max(first, Math.round((until - start) * SAMPLE_RATE))
  return { start: start + first / SAMPLE_RATE, samples: samples.slice(first, last) }
}

/** Returns true for audio that is loud enough to compare. */
export const isAudible = ({ samples }: Audio): boolean => samples.some((sample) => Math.abs(sample) > AUDIBLE)

/** Compares audio around a shift sample by sample, and returns the best agreement within so many seconds of it. */
export function compareAudio(earlier: Audio, later: Audio, shift: number, within: number): Agreement | undefined {
  const centre = Math.round((later.start + shift - earlier.start) * SAMPLE_RATE)
  const reach = Math.ceil(within * SAMPLE_RATE)
  let best: { at: number; score: number } | undefined
  for (let at = Math.max(0, centre - reach); at <= centre + reach; at++) {
    if (at + later.samples.length > earlier.samples.length) break
    const score = correlationAt(earlier.samples, later.samples, at)
    if (!best || score > best.score) best = { at, score }
  }
  return best && { shift: earlier.start + best.at / SAMPLE_RATE - later.start, score: best.score }
}

/** Finds the shifts at which audio agrees best, by loudness first and then sample by sample. */
export function findAgreements(earlier: Audio, later: Audio): Agreement[] {
  const [long, short] = [loudness(earlier.samples), loudness(later.samples)]
  const step = WINDOW / SAMPLE_RATE
  const scores = Array.from({ length: Math.max(0, long.length - short.length + 1) }, (_, at) => ({
    shift: earlier.start + at * step - later.start,
    score: correlationAt(long, short, at),
  }))
  const peaks = scores.filter(
    ({ score }, at) => score >= (scores[at - 1]?.score ?? -1) && score >= (scores[at + 1]?.score ?? -1),
  )
  const best = peaks.sort((a, b) => b.score - a.score).slice(0, CANDIDATES)
  return best.flatMap(({ shift }) => compareAudio(earlier, later, shift, step) ?? [])
}

/** Returns the correlation, from -1 to 1; 0 where one of them is constant. */
function correlationAt(long: Int16Array | Float32Array, short: Int16Array | Float32Array, at: number): number {
  const count = short.length
  let [a1, b1, aa, bb, ab] = [0, 0, 0, 0, 0]
  for (let index = 0; index < count; index++) {
    const a = long[at + index] as number
    const b = short[index] as number
    a1 += a
    b1 += b
    aa += a * a
    bb += b * b
    ab += a * b
  }
  const spread = (aa - (a1 * a1) / count) * (bb - (b1 * b1) / count)
  return spread > 1 ? (ab - (a1 * b1) / count) / Math.sqrt(spread) : 0
}

const loudness = (samples: Int16Array): Float32Array =>
  Float32Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, index) => {
    const window = samples.subarray(index * WINDOW, (index + 1) * WINDOW)
    return Math.sqrt(window.reduce((sum, sample) => sum + sample * sample, 0) / WINDOW)
  })
