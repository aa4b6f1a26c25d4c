import { describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import { breakables } from '../../../../local/simulation/chaos/chaos.ts'
import { runSeeds } from '../../../../local/simulation/runner/run-seeds.ts'

/** Ten in a row in which every kind of thing breaks while it runs: each does more than 20 times in 500 seeds. */
const FIRST = 65

/** A handful of the seeds that the command runs: CI runs a hundred of them by that. */
describe('seeds', () => {
  it('keep every invariant under their faults', async () => {
    const scenarios = new URL('../../../../local/simulation/runner/scenario.ts', import.meta.url)
    const report = await runSeeds({
      assembly: await synthesizeTemplate(),
      scenarios,
      first: FIRST,
      count: 10,
      threads: 2,
    })
    expect(report.broken).toEqual([])
    expect(report.seeds).toBe(10)
    expect(report.virtualHours).toBeGreaterThan(10)
    expect(Object.keys(report.faults)).toEqual(expect.arrayContaining(breakables.map((kind) => `broken ${kind}`)))
    expect(Object.keys(report.faults).length).toBeGreaterThan(10)
  })
})
