import { describe, expect, it } from 'vitest'
import { createMutant } from './mutant.ts'
import { mutations } from './mutations.ts'

/** Seeds within which each has to be caught, and how many of them are simulated at a time. */
const SEEDS = 50
const AT_A_TIME = 4

describe('the simulation', () => {
  it.concurrent.each(mutations)(`catches $what within ${SEEDS} seeds`, async ({ caughtBy, seed, edits }) => {
    await using mutant = await createMutant(edits)
    const broken = new Set<string>()
    const simulate = async (first: number, seeds: number) => {
      for (const { invariant } of (await mutant.simulate(first, seeds)).broken) broken.add(invariant)
    }
    const caught = () => caughtBy.filter((one) => broken.has(one))
    await simulate(seed, 1)
    for (let first = 1; first <= SEEDS && caught().length === 0; first += AT_A_TIME) await simulate(first, AT_A_TIME)
    expect(caught()).not.toEqual([])
  })
})
