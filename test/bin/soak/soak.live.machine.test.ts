import { describe, expect, it } from 'vitest'
import { problemsOf } from '../../../bin/soak/report.ts'
import { soak } from '../../../bin/soak/soak.ts'

describe('soak', () => {
  it('finds nothing wrong in a short time', async () => {
    const said: string[] = []
    const { signal } = new AbortController()
    const report = await soak({ minutes: 0.25, seed: 7, signal, onStep: (words) => said.push(words) })
    expect(problemsOf(report)).toEqual([])
    expect(report.clock.looks).toBeGreaterThanOrEqual(29)
    expect(report.actions).toBeGreaterThan(4)
    expect(said[0]).toMatch(/^minute 0\.0 of 0\.25, \d+\.\d MB: /)
  })

  it('reports what there is when it is ended early', async () => {
    const interruption = new AbortController()
    const report = await soak({
      ...{ minutes: 60, seed: 1, signal: interruption.signal },
      onStep: () => setTimeout(() => interruption.abort(), 3_000),
    })
    expect(problemsOf(report)).toEqual([])
    expect(report.seconds).toBeLessThan(6)
    expect(report.clock.looks).toBeGreaterThanOrEqual(5)
  })
})
