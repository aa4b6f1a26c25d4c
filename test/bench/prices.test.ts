import { describe, expect, it } from 'vitest'
import { priceOfUsage } from '../../bench/orchestration/usage.ts'
import { priceOf } from '../../bench/prices.ts'

describe('priceOf', () => {
  it('is that of a million of each at list prices', () => {
    expect(priceOf({ read: 1_000_000, write: 1_000_000 })).toBeCloseTo(0.4 + 5, 6)
    expect(priceOf({})).toBe(0)
  })
})

describe('priceOfUsage', () => {
  it('is that of a million of each at list prices', () => {
    expect(priceOfUsage({ transitions: 1_000_000, invocations: 0 })).toBeCloseTo(25, 6)
    // A request, and 0.3 s of a quarter of a gigabyte.
    expect(priceOfUsage({ transitions: 0, invocations: 1_000_000 })).toBeCloseTo(0.2 + 75_000 * 0.0000133334, 6)
  })
})
