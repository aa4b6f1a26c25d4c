import { describe, expect, it } from 'vitest'
import { priceOf } from '../../../bench/orchestration/prices.ts'

describe('priceOf', () => {
  it('is that of a million of each at list prices', () => {
    expect(priceOf({ transitions: 1_000_000, invocations: 0 })).toBeCloseTo(25, 6)
    // A request, and 0.3 s of a quarter of a gigabyte.
    expect(priceOf({ transitions: 0, invocations: 1_000_000 })).toBeCloseTo(0.2 + 75_000 * 0.0000133334, 6)
  })
})
