import { SAMPLES_PER_BLOCK } from './block.ts'

/**
 * Samples that wait to be played. They are kept in one array, because each array of samples is memory outside of the heap: when
 * 50 calls make some thousands of them in a second, collecting them stops the mix for longer than a block lasts.
 */
export interface SampleQueue {
  readonly length: number
  add(samples: Int16Array): void
  /** Adds silence. @param count samples */
  addSilence(count: number): void
  /** Removes the first samples and returns them, followed by silence if there are fewer. @param count samples */
  take(count: number): Int16Array
  /** Removes the first samples. @param count may be more than there are */
  drop(count: number): void
}

export function createSampleQueue(): SampleQueue {
  let samples = new Int16Array(4 * SAMPLES_PER_BLOCK)
  let start = 0
  let end = 0

  /** Returns the place for more samples at the end. */
  function extend(count: number): Int16Array {
    if (end + count > samples.length) {
      const waiting = samples.subarray(start, end)
      if (waiting.length + count > samples.length) samples = new Int16Array(2 * (waiting.length + count))
      samples.set(waiting)
      ;[start, end] = [0, waiting.length]
    }
    end += count
    return samples.subarray(end - count, end)
  }
  const drop = (count: number) => {
    start = Math.min(end, start + count)
  }
  return {
    get length() {
      return end - start
    },
    add: (added) => extend(added.length).set(added),
    addSilence: (count) => void extend(count).fill(0),
    take(count) {
      const taken = new Int16Array(count)
      taken.set(samples.subarray(start, Math.min(end, start + count)))
      drop(count)
      return taken
    },
    drop,
  }
}
