import { limits } from '../../../../../lib/platform/contract/limits.ts'
import { BLOCK_MS, SAMPLES_PER_BLOCK } from '../block.ts'

/** Part of a digit that one tick sends in place of audio. */
export interface DigitStep {
  readonly digit: string
  /** True in the first tick of a digit. */
  readonly isStart: boolean
  /** True in the last one: it is sent three times. */
  readonly isEnd: boolean
  /** Milliseconds since its start. */
  readonly ms: number
}

/** The digits that wait to be sent to a phone. */
export interface DigitSender {
  /** Adds digits; each `p` among them is a pause. */
  add(digits: string): void
  /** Returns what the next tick sends; undefined when it sends audio. */
  next(): DigitStep | undefined
}

/** Milliseconds of a digit, and of the pause after it. */
const DIGIT = 100
const GAP = 100

export function createDigitSender(): DigitSender {
  /** The digits, and pauses in blocks. */
  const waiting: (string | number)[] = []
  let elapsed = 0
  return {
    add(digits) {
      for (const digit of digits)
        if (digit === 'p') waiting.push((limits.dtmfPause.value * 1000) / BLOCK_MS)
        else waiting.push(digit, GAP / BLOCK_MS)
    },
    next() {
      const [first] = waiting
      if (first === undefined) return undefined
      if (typeof first === 'number') {
        if (first > 1) waiting[0] = first - 1
        else waiting.shift()
        return undefined
      }
      const isStart = elapsed === 0
      elapsed += BLOCK_MS
      const step = { digit: first, isStart, isEnd: elapsed >= DIGIT, ms: elapsed }
      if (step.isEnd) {
        waiting.shift()
        elapsed = 0
      }
      return step
    },
  }
}

/** Rows and columns of the keys, in hertz (ITU-T Q.23). */
const ROWS = [697, 770, 852, 941]
const COLUMNS = [1_209, 1_336, 1_477, 1_633]
const KEYS = ['123A', '456B', '789C', '*0#D']
const PEAK = 6_500

/** Returns a block of a digit's tones, for a phone that takes no telephone events. */
export function toneOf({ digit, ms }: DigitStep): Int16Array {
  const row = KEYS.findIndex((keys) => keys.includes(digit))
  const frequencies = [ROWS[row] ?? 0, COLUMNS[KEYS[row]?.indexOf(digit) ?? 0] ?? 0]
  const start = ((ms - BLOCK_MS) / BLOCK_MS) * SAMPLES_PER_BLOCK
  return Int16Array.from({ length: SAMPLES_PER_BLOCK }, (_, sample) => {
    const waves = frequencies.map((hertz) => Math.sin((2 * Math.PI * hertz * (start + sample)) / 48_000))
    return Math.round(PEAK * waves.reduce((sum, wave) => sum + wave, 0))
  })
}
