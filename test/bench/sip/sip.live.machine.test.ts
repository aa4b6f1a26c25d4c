import { describe, expect, it } from 'vitest'
import { createSipBench } from '../../../bench/sip/sip.ts'
import { findTool } from '../../support/tools.ts'

describe('createSipBench', () => {
  it('measures the sandbox and Janus under the same load, with the goals that were set', async () => {
    await findTool('janus', 'janus')
    const bench = createSipBench({ phones: 3, seconds: 2, warmUp: 0.5 })
    const measurements = await bench.run(() => {}, new AbortController().signal)
    expect(measurements.map(({ unit, goal }) => [unit, goal])).toEqual([
      ['cores', { atMost: 1, of: 'value' }],
      ['ms', undefined],
      ['ms', { atMost: 80, of: 'value' }],
      ['1/s', undefined],
    ])
    for (const { value, baseline, unit } of measurements) {
      expect(value, unit).toBeGreaterThan(0)
      expect(baseline, unit).toBeGreaterThan(0)
    }
  })
})
