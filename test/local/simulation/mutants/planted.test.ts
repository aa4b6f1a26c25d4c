import { describe, expect, it } from 'vitest'
import { createReader } from '../../../../bin/mutants/find-mutants.ts'
import { plantedMutants } from '../../../../local/simulation/mutants/planted/planted.ts'

describe('plantedMutants', () => {
  it('finds the place of each mistake in the present source', () => {
    const planted = plantedMutants(createReader())
    expect(planted.length).toBeGreaterThanOrEqual(60)
    expect(new Set(planted.map(({ what }) => what)).size).toBe(planted.length)
  })
})
