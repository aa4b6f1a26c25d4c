import { describe, expect, it } from 'vitest'
import { runBusyAccount } from './busy-account.ts'

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

describe('an account that runs ten functions at once', () => {
  it.each([
    { concurrency: 2, pieces: 6 },
    { concurrency: 5, pieces: 6 },
    { concurrency: 2, pieces: 24 }, // four hours
  ])('publishes all of sixty recordings, three at a time beside a show (%o)', async (options) => {
    for (const seed of SEEDS) {
      const { show, publishes, mostEvents } = await runBusyAccount({ ...options, seed, limit: 10, recordings: 3 })
      expect([seed, ...[show, ...publishes].map(({ status }) => status)]).toEqual([seed, ...Array(4).fill('SUCCEEDED')])
      expect(mostEvents).toBeLessThan(5_000)
    }
  })
})
