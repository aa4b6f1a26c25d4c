import { describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import { breakables } from '../../../../local/simulation/chaos/chaos.ts'
import { runSeeds } from '../../../../local/simulation/runner/run-seeds.ts'

/** Seeds in which every kind of thing breaks while it runs: a composer and a call in the last two, the others in the first ten. */
const RANGES = [
  { first: 4, count: 10 },
  { first: 23, count: 1 },
  { first: 95, count: 1 },
]

/** A handful of the seeds that the command runs: CI runs a hundred of them by that. */
describe('seeds', () => {
  it('keep every invariant under their faults', async () => {
    const scenarios = new URL('../../../../local/simulation/runner/scenario.ts', import.meta.url)
    const assembly = await synthesizeTemplate()
    const reports = []
    for (const range of RANGES) reports.push(await runSeeds({ assembly, scenarios, ...range, threads: 2 }))
    expect(reports.flatMap(({ broken }) => broken)).toEqual([])
    expect(reports.map(({ seeds }) => seeds)).toEqual([10, 1, 1])
    expect(reports[0]?.virtualHours).toBeGreaterThan(10)
    const faults = new Set(reports.flatMap((report) => Object.keys(report.faults)))
    expect([...faults]).toEqual(expect.arrayContaining(breakables.map((kind) => `broken ${kind}`)))
    expect(faults.size).toBeGreaterThan(10)
  })
})
