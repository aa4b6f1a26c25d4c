import { describe, expect, it } from 'vitest'
import { toRow } from '../../../bench/bench.ts'
import type { WorkFigures } from '../../../bench/publish/harness.ts'
import { growthOf, toMeasurements } from '../../../bench/publish/measurements.ts'

const figures = (scale: number): WorkFigures => ({
  seconds: scale,
  read: scale * 1e6,
  written: scale * 2e6,
  memory: scale * 50e6,
  reads: scale,
  writes: scale * 2,
  copying: 0,
})

describe('rowsOf', () => {
  it('sets everything that a work takes beside its baseline, in megabytes and seconds', () => {
    const rows = toMeasurements('a work', figures(1), figures(4)).map((measurement) => toRow('publish', measurement))
    expect(rows.map(({ work, value, baseline, unit, met }) => [work, value, baseline, unit, met])).toEqual([
      ['a work: wall time', 1, 4, 's', null],
      ['a work: read', 1, 4, 'MB', null],
      ['a work: written', 2, 8, 'MB', null],
      ['a work: peak memory', 50, 200, 'MB', null],
      ['a work: requests', 3, 12, 'requests', null],
    ])
  })

  it('judges what has a goal', () => {
    const goals = {
      seconds: { atMost: 1 / 5 },
      moved: { atMost: 3, of: 'value' },
      memory: { atMost: 40, of: 'value' },
    } as const
    const rows = toMeasurements('a work', figures(1), figures(4), goals).map((measurement) =>
      toRow('publish', measurement),
    )
    expect(rows.filter(({ met }) => met !== null).map(({ work, met }) => [work, met])).toEqual([
      ['a work: wall time', false],
      ['a work: through the process', true],
      ['a work: peak memory', false],
    ])
  })
})

describe('growthOf', () => {
  it('measures what grows with the length of a recording', () => {
    const rows = growthOf('a work', figures(4), figures(2), { memory: { atMost: 1.1 } })
    expect(rows.map(({ work }) => work.replace('a work: ', ''))).toEqual([
      'wall time',
      'read',
      'peak memory',
      'requests',
    ])
    expect(rows.every(({ value, baseline }) => Number(value) === 2 * Number(baseline))).toBe(true)
  })
})
