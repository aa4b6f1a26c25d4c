import { beforeAll, describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import type { Assembly } from '../../../../local/cloud/assembly.ts'
import { type RunSeedsOptions, runSeeds } from '../../../../local/simulation/runner/run-seeds.ts'
import type { Trial } from '../../../../local/simulation/runner/trial.ts'

let assembly: Assembly
beforeAll(async () => {
  assembly = await synthesizeTemplate()
})

const run = (options: Partial<RunSeedsOptions>) => {
  const scenarios = new URL(options.scenarios ?? './scenarios.ts', import.meta.url)
  return runSeeds({ assembly, first: 1, count: 4, threads: 2, ...options, scenarios })
}

describe('runSeeds', () => {
  it('runs each seed once, and a seed alike in any thread', async () => {
    const [one, other]: [Trial[], Trial[]] = [[], []]
    const report = await run({ onTrial: (trial, done) => one.push(trial) === done })
    await run({ threads: 1, first: 3, count: 2, onTrial: (trial) => other.push(trial) })
    expect(one.map(({ seed }) => seed).toSorted()).toEqual([1, 2, 3, 4])
    for (const { seed, outcome } of other) {
      expect(outcome).toBeDefined()
      expect(outcome).toEqual(one.find((trial) => trial.seed === seed)?.outcome)
    }
    expect(report.seeds).toBe(4)
    expect(report.virtualHours).toBeGreaterThan(0)
    expect(Object.values(report.faults).reduce((sum, times) => sum + times)).toBeGreaterThan(4)
  })

  it('stops at once when aborted, and returns the finished trials', async () => {
    const ending = new AbortController()
    const trials: Trial[] = []
    const onTrial = (trial: Trial) => {
      trials.push(trial)
      ending.abort()
    }
    const report = await run({ count: 1_000, onTrial, signal: ending.signal })
    expect(report.seeds).toBe(trials.length)
    expect(trials.length).toBeLessThanOrEqual(2)
  })

  it('reports a failed thread, and continues in another', async () => {
    const report = await run({ scenarios: new URL('./no-scenarios.ts', import.meta.url), count: 3 })
    expect(report.broken.map(({ seed, invariant }) => [seed, invariant])).toEqual([
      [1, 'simulation'],
      [2, 'simulation'],
      [3, 'simulation'],
    ])
    expect(report.broken[0]?.detail).toContain('The thread failed')
  })
})
