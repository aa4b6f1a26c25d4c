import { beforeAll, describe, expect, it } from 'vitest'
import { type Row, toRow } from '../../../bench/bench.ts'
import { createMediaBench } from '../../../bench/media/media.ts'

describe('createMediaBench', () => {
  let rows: Row[]
  beforeAll(async () => {
    const bench = createMediaBench({ composed: 1, live: 2, minutes: 1 })
    const measurements = await bench.run(() => {}, new AbortController().signal)
    rows = measurements.map((measurement) => toRow('media', measurement))
  })

  it('measures what 16 sources take, beside ffmpeg', () => {
    const compared = rows.filter(({ unit, work }) => unit === 'cores' && work.startsWith('16 '))
    expect(compared).toHaveLength(2)
    for (const { value, baseline } of compared) {
      expect(value).toBeGreaterThan(0)
      expect(baseline).toBeGreaterThan(0)
    }
  })

  it('counts late frames, and the memory of a recording', () => {
    expect(rows.find(({ unit }) => unit === 'frames')).toMatchObject({ value: expect.any(Number), goal: 0 })
    const memory = rows.filter(({ unit }) => unit === 'MB')
    expect(memory.map(({ work }) => work)).toEqual([
      'memory in the middle of 1 minutes, to at the start',
      'memory at the end of 1 minutes, to at the start',
    ])
    for (const { value } of memory) expect(value).toBeGreaterThan(20)
  })
})
