import { describe, expect, it } from 'vitest'
import { countAt } from '../../../../local/simulation/mutants/coverage.ts'

describe('countAt', () => {
  const ranges = [
    { startOffset: 0, endOffset: 100, count: 1 },
    { startOffset: 10, endOffset: 60, count: 7 },
    { startOffset: 20, endOffset: 30, count: 0 },
  ]

  it.each([
    [5, 1],
    [10, 7],
    [25, 0],
    [30, 7],
    [100, 0],
  ])('returns the count of the innermost block at %i: %i', (offset, count) => {
    expect(countAt(ranges, offset, '')).toBe(count)
  })

  it('does not trust the end of a branch that awaits', () => {
    const source = 'const a = b ? await c : await d; e'
    const branches = [
      { startOffset: 0, endOffset: 34, count: 3 },
      { startOffset: 22, endOffset: 34, count: 0 },
    ]
    expect(countAt(branches, 33, source)).toBe(3)
  })
})
