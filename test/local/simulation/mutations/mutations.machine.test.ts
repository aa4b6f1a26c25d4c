import { describe, expect, it } from 'vitest'
import { createMutant } from './mutant.ts'
import { mutations } from './mutations.ts'

/** Seeds within which each has to be caught, and how many of them are simulated at a time. */
const SEEDS = 50
const AT_A_TIME = 4

describe('the simulation', () => {
  it.concurrent.each(mutations)(`catches $what within ${SEEDS} seeds`, async ({ caughtBy, edits }) => {
    await using mutant = await createMutant(edits)
    const broken = new Set<string>()
    for (let first = 1; first <= SEEDS && !caughtBy.some((one) => broken.has(one)); first += AT_A_TIME)
      for (const { invariant } of (await mutant.simulate(first, AT_A_TIME)).broken) broken.add(invariant)
    expect(caughtBy.filter((one) => broken.has(one))).not.toEqual([])
  })
})
