import { BLOCK_MS } from './block.ts'

/** Finds audio that waits needlessly in a buffer: the sender's clock is faster, or either side was delayed. */
export interface SpareAudio {
  /**
   * Notes what waits after a block was taken.
   * @param waiting milliseconds
   * @param depth milliseconds that are to wait
   * @returns milliseconds to leave out, in whole blocks
   */
  note(waiting: number, depth: number): number
  /** Forgets what was noted: the buffer begins again. */
  reset(): void
}

/** Blocks of a period, and the periods after which audio that waited in all of them is left out: a second. */
const BLOCKS = 10
const PERIODS = 5
/** Milliseconds that always wait. */
const RESERVE = 10
/** Milliseconds above the depth that are left out after one period: a delay of either side has passed. */
const FAR = 60

export function createSpareAudio(): SpareAudio {
  /** Least milliseconds that waited in the current period, and in each one before. */
  let least = Infinity
  let blocks = 0
  let minima: readonly number[] = []

  return {
    note(waiting, depth) {
      least = Math.min(least, waiting)
      if (++blocks < BLOCKS) return 0
      minima = [...minima, least].slice(-PERIODS)
      const above = least - depth
      const spare = above >= FAR ? above : minima.length === PERIODS ? Math.min(...minima) - RESERVE : 0
      ;[least, blocks] = [Infinity, 0]
      const whole = Math.max(0, Math.floor(spare / BLOCK_MS) * BLOCK_MS)
      minima = minima.map((minimum) => minimum - whole)
      return whole
    },
    reset() {
      ;[least, blocks, minima] = [Infinity, 0, []]
    },
  }
}
