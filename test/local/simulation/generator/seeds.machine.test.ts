import { describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import { breakables } from '../../../../local/simulation/chaos/chaos.ts'
import { scenarioOf } from '../../../../local/simulation/runner/scenario.ts'
import { type Trial, tryScenario } from '../../../../local/simulation/runner/trial.ts'

/** Seeds in which every kind of thing breaks: an archive and a broadcast, a call, an RTMP target, and a composer. */
const SEEDS = [27, 41, 65, 75]

/** A handful of the seeds that the command runs: CI runs a hundred of them by that. */
describe('seeds', () => {
  it('keep every invariant under their faults', async () => {
    const assembly = await synthesizeTemplate()
    const trials: Trial[] = []
    for (const seed of SEEDS) trials.push(await tryScenario({ assembly, seed, ...scenarioOf(seed) }))
    expect(trials.flatMap(({ broken }) => broken)).toEqual([])
    const faults = new Set(trials.flatMap((trial) => Object.keys(trial.faults)))
    expect([...faults]).toEqual(expect.arrayContaining(breakables.map((kind) => `broken ${kind}`)))
    expect(faults.size).toBeGreaterThan(10)
  })
})
