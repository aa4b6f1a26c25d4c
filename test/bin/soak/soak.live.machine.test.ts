import { describe, expect, it } from 'vitest'
import { soakProblems } from '../../../bin/soak/report.ts'
import { type SoakOptions, soak } from '../../../bin/soak/soak.ts'
import { measureLateness } from '../../support/lateness.ts'

/** Seconds between two actions. */
const MAX_PAUSE = 4

/** Runs a soak, with the seconds that the machine was late while it recorded. */
async function soakOnTime(options: SoakOptions) {
  const meter = measureLateness()
  let startedAt: number | undefined
  const onStep = (step: string) => {
    startedAt ??= Date.now()
    options.onStep(step)
  }
  const report = await soak({ ...options, onStep })
  meter.stop()
  const from = startedAt ?? Number.NaN
  return { report, late: meter.between(from, from + report.seconds * 1000) / 1000 }
}

describe('soak', () => {
  it('finds no problems in a short time', async () => {
    const steps: string[] = []
    const { signal } = new AbortController()
    const { report, late } = await soakOnTime({ minutes: 0.25, seed: 7, signal, onStep: (step) => steps.push(step) })
    expect(soakProblems(report)).toEqual([])
    expect(report.clock.samples).toBeGreaterThanOrEqual(29)
    expect(report.actions).toBeGreaterThanOrEqual(Math.floor((report.seconds - late) / MAX_PAUSE))
    expect(steps[0]).toMatch(/^minute 0\.0 of 0\.25, \d+\.\d MB: /)
  })

  it('reports the recorded part when it is stopped early', async () => {
    const interruption = new AbortController()
    const { report, late } = await soakOnTime({
      minutes: 60,
      seed: 1,
      signal: interruption.signal,
      onStep: () => setTimeout(() => interruption.abort(), 3_000),
    })
    expect(soakProblems(report)).toEqual([])
    expect(report.seconds - late).toBeLessThan(6)
    expect(report.clock.samples).toBeGreaterThanOrEqual(5)
  })
})
