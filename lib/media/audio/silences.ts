import type { TimeRange } from '../time-range.ts'

/** Quieter than this, in dB below full scale, is silence: below the noise of a room, above that of an encoder. */
const QUIETEST_DB = -50
/** Seconds; shorter pauses are a part of speech. */
const MIN = 2
/** What is handed on stays small however the recording is: the longest ones are kept. */
export const MAX_SILENCES = 500

const QUIETEST_MEAN_SQUARE = (32_768 * 10 ** (QUIETEST_DB / 20)) ** 2

/** Finds silences in blocks of samples that follow one another; `blockSeconds` each. */
export function createSilenceFinder(blockSeconds: number) {
  const found: TimeRange[] = []
  let blocks = 0
  let quietSince: number | undefined
  const close = () => {
    if (quietSince === undefined) return
    const stretch = { start: toMilliseconds(quietSince * blockSeconds), end: toMilliseconds(blocks * blockSeconds) }
    if (stretch.end - stretch.start >= MIN) found.push(stretch)
    quietSince = undefined
  }
  return {
    /** @param meanSquare of the block's samples, in steps of 16 bits */
    add(meanSquare: number) {
      if (meanSquare >= QUIETEST_MEAN_SQUARE) close()
      else quietSince ??= blocks
      blocks += 1
    },
    /** All of at least 2 s, in order; of more than 500 the longest. */
    finish(): TimeRange[] {
      close()
      const longest = found.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MAX_SILENCES)
      return longest.sort((a, b) => a.start - b.start)
    },
  }
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
