import { describe, expect, it } from 'vitest'
import { findFrameRate } from '../../../lib/media/frame-rate.ts'

/** `[seconds, frames]` each. */
const rateOf = (...durations: [number, number][]) => findFrameRate(new Map(durations))

describe('findFrameRate', () => {
  it('finds a rate with frames of equal duration', () => {
    expect(rateOf([512 / 15360, 300])).toBe(30)
    expect(rateOf([1001 / 30000, 300])).toBe(30000 / 1001)
  })

  it('finds it through the rounding of ticks', () => {
    expect(rateOf([0.033, 201], [0.034, 99])).toBe(30)
    expect(rateOf([0.008, 200], [0.009, 100])).toBe(120)
  })

  it('leaves out pauses, lost frames and frames of no length', () => {
    expect(rateOf([5, 2], [0, 3], [0.08, 4], [0.04, 100])).toBe(25)
  })

  it('returns the mean without a steady rate', () => {
    expect(rateOf([0.1, 10], [0.05, 20])).toBe(15)
    expect(rateOf([0.0581, 100])).toBe(17.212)
  })

  it('is 0 when there is nothing to measure', () => {
    expect(rateOf()).toBe(0)
    expect(rateOf([0, 1])).toBe(0)
  })
})
