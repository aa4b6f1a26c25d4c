import { describe, expect, it } from 'vitest'
import { createPlatformBench } from '../../../bench/platform/platform.ts'

const few = {
  calls: { warmUp: 1, rounds: 1, perRound: 3 },
  load: { warmUp: 10, rounds: 1, perRound: 20 },
  sessions: 5,
  archives: 3,
  pages: { warmUp: 0, rounds: 1 },
} as const

describe('createPlatformBench', () => {
  it('measures everything beside a baseline, with the goals that were set', async () => {
    const measurements = await createPlatformBench(few).run(() => {}, new AbortController().signal)
    for (const { value, baseline } of measurements) {
      expect(value).toBeGreaterThan(0)
      expect(baseline).toBeGreaterThan(0)
    }
    expect(measurements.map(({ unit, goal }) => [unit, goal])).toEqual([
      ['µs', { atMost: 0.5 }],
      ['requests/s', { atLeast: 0.5 }],
      ['ms', undefined],
      ['MB', undefined],
      ['ms', undefined],
      ['ms', undefined],
    ])
  })

  it('ends with its reason when it is interrupted', async () => {
    const stop = new AbortController()
    const interrupted = createPlatformBench(few).run((words) => {
      if (words.startsWith('calling')) stop.abort(new Error('enough'))
    }, stop.signal)
    await expect(interrupted).rejects.toThrow('enough')
  })
})
