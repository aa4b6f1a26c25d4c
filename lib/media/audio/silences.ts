import type { TimeRange } from '../time-range.ts'

/** dB below full scale; quieter audio is silence: below the noise of a room, above that of an encoder. */
const QUIETEST_DB = -50
/** Seconds; shorter pauses are part of speech. */
const MIN_SILENCE = 2
/** Bounds the document that lists them; the longest are kept. */
export const MAX_SILENCES = 500

const QUIETEST_MEAN_SQUARE = (32_768 * 10 ** (QUIETEST_DB / 20)) ** 2

/** Creates a finder of silences in consecutive blocks of samples of `blockSeconds` each. */
export function createSilenceFinder(blockSeconds: number) {
  const found: TimeRange[] = []
  let blocks = 0
  let quietSince: number | undefined
  const close = () => {
    if (quietSince === undefined) return
    const silence = { start: toMilliseconds(quietSince * blockSeconds), end: toMilliseconds(blocks * blockSeconds) }
    if (silence.end - silence.start >= MIN_SILENCE) found.push(silence)
    quietSince = undefined
  }
  return {
    /** @param meanSquare mean of the squared 16-bit samples */
    add(meanSquare: number) {
      if (meanSquare >= QUIETEST_MEAN_SQUARE) close()
      else quietSince ??= blocks
      blocks += 1
    },
    /** Returns silences of at least 2 s, in order; the 500 longest if there are more. */
    finish(): TimeRange[] {
      close()
      const longest = found.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MAX_SILENCES)
      return longest.sort((a, b) => a.start - b.start)
    },
  }
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
