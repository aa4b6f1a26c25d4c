import { describe, expect, it } from 'vitest'
import { problemsOf } from '../../../bin/soak/report.ts'
import { type SoakOptions, soak } from '../../../bin/soak/soak.ts'
import { measureLateness } from '../../support/lateness.ts'

/** Seconds between two actions. */
const MAX_PAUSE = 4

/** Runs a soak, with the seconds that the machine was late while it recorded. */
async function soakOnTime(options: SoakOptions) {
  const meter = measureLateness()
  let begunAt: number | undefined
  const onStep = (words: string) => {
    begunAt ??= Date.now()
    options.onStep(words)
  }
  const report = await soak({ ...options, onStep })
  meter.stop()
  const from = begunAt ?? Number.NaN
  return { report, late: meter.between(from, from + report.seconds * 1000) / 1000 }
}

describe('soak', () => {
  it('finds nothing wrong in a short time', async () => {
    const said: string[] = []
    const { signal } = new AbortController()
    const { report, late } = await soakOnTime({ minutes: 0.25, seed: 7, signal, onStep: (words) => said.push(words) })
    expect(problemsOf(report)).toEqual([])
    expect(report.clock.looks).toBeGreaterThanOrEqual(29)
    expect(report.actions).toBeGreaterThanOrEqual(Math.floor((report.seconds - late) / MAX_PAUSE))
    expect(said[0]).toMatch(/^minute 0\.0 of 0\.25, \d+\.\d MB: /)
  })

  it('reports what there is when it is ended early', async () => {
    const interruption = new AbortController()
    const { report, late } = await soakOnTime({
      ...{ minutes: 60, seed: 1, signal: interruption.signal },
      onStep: () => setTimeout(() => interruption.abort(), 3_000),
    })
    expect(problemsOf(report)).toEqual([])
    expect(report.seconds - late).toBeLessThan(6)
    expect(report.clock.looks).toBeGreaterThanOrEqual(5)
  })
})
