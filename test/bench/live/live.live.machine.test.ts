import { describe, expect, it } from 'vitest'
import { createLiveBench } from '../../../bench/live/live.ts'
import { findTool } from '../../support/tools.ts'

const few = {
  idle: { publishers: 2, subscribers: 0, joins: 0, seconds: 1 },
  loads: [{ publishers: 1, subscribers: 2, joins: 2, seconds: 2 }],
} as const

describe('createLiveBench', () => {
  it('measures the sandbox and Janus under the same load, with the goals that were set', async () => {
    await findTool('janus', 'janus')
    const measurements = await createLiveBench(few).run(() => {}, new AbortController().signal)
    expect(measurements.map(({ unit, goal }) => [unit, goal])).toEqual([
      ['cores', { atMost: 0.2, of: 'value' }],
      ['MB', undefined],
      ['1/s', undefined],
      ['ms', undefined],
      ['ms', { atMost: 10, of: 'value' }],
      ['cores', { atMost: 4 }],
      ['MB', undefined],
      ['%', undefined],
      ['1/s', undefined],
      ['s', undefined],
      ['s', { atMost: 1, of: 'value' }],
    ])
    // In one second, an idle server may use less than a clock tick of a processor.
    const [idleCores, ...others] = measurements
    expect(idleCores?.value).toBeGreaterThanOrEqual(0)
    for (const { value, baseline, unit } of others.filter(({ unit }) => unit !== '%')) {
      expect(value, unit).toBeGreaterThan(0)
      expect(baseline, unit).toBeGreaterThan(0)
    }
  })

  it('says that Janus is missing', async () => {
    const idle = { ...few.idle, publishers: 1 }
    const bench = createLiveBench({ idle, loads: [] }, async () => undefined)
    const [row] = await bench.run(() => {}, new AbortController().signal)
    expect(row).toMatchObject({ work: expect.stringContaining('Janus is not installed'), baseline: null })
  })
})
