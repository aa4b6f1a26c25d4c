import { describe, expect, it } from 'vitest'
import { eachAtOnce, median, quantile } from '../../bench/figures.ts'

describe('quantile', () => {
  it('is the value that the share does not exceed', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([quantile(values, 0), quantile(values, 0.99), quantile(values, 1)]).toEqual([1, 100, 100])
    expect(median([3, 1, 2])).toBe(2)
  })
})

describe('eachAtOnce', () => {
  it('runs each once, within the given concurrency', async () => {
    const seen: number[] = []
    let [running, most] = [0, 0]
    await eachAtOnce([0, 1, 2, 3, 4], 2, async (item) => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      seen.push(item)
      running--
    })
    expect([seen, most]).toEqual([[0, 1, 2, 3, 4], 2])
  })
})
