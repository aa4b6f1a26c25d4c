import { beforeAll, describe, expect, it } from 'vitest'
import { type Row, toRow } from '../../../bench/bench.ts'
import { createScaleBench } from '../../../bench/scale/scale.ts'

describe('createScaleBench', () => {
  let rows: Row[]
  beforeAll(async () => {
    const bench = createScaleBench({ sizes: [1, 60], seconds: 600, settled: 2_000, archives: 60 })
    const measurements = await bench.run(() => {}, new AbortController().signal)
    rows = measurements.map((measurement) => toRow('scale', measurement))
  })
  const rowOf = (work: string) => rows.find((row) => row.work.startsWith(work))

  it('lets platform calls fall, although all shows go live within a minute', () => {
    expect(rowOf('platform calls')?.ratio).toBeLessThan(1 / 5)
  })

  it('sweeps what is unsettled, and not what is settled', () => {
    const { value = 0, baseline, met } = rowOf('requests of a sweep') ?? {}
    expect({ value, met }).toEqual({ value: baseline, met: true })
    expect(value).toBeGreaterThan(400)
  })

  it('lets the price fall', () => {
    expect(rowOf('price')).toMatchObject({ met: true })
  })

  it('publishes a burst of archives in order, within the maximum, and loses none', () => {
    for (const work of ['lost', 'turns out of order', 'publishes at one time']) expect(rowOf(work)?.met).toBe(true)
    expect(rowOf('polls for each')?.value).toBeGreaterThan(0)
  })

  it('notices a failed archive within a minute', () => {
    expect(rowOf('until a failure is noticed')).toMatchObject({ met: true, goal: 60 })
    expect(rowOf('until a failure is noticed')?.value).toBeGreaterThan(0)
  })
})
