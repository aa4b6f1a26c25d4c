import { describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import { root } from '../../../../bin/local/root.ts'
import { createReader } from '../../../../bin/mutants/find-mutants.ts'
import { mutatedTemplate } from '../../../../bin/mutants/mutated-template.ts'
import type { Mutant } from '../../../../local/simulation/mutants/mutant.ts'
import { plantedMutants } from '../../../../local/simulation/mutants/planted/planted.ts'
import { mutantsOfSource } from '../../../../local/simulation/mutants/source-mutants.ts'
import { tryMutants } from '../../../../local/simulation/mutants/try-mutants.ts'

const read = createReader()

async function tryThese(mutants: readonly Mutant[], seeds: number) {
  const assembly = await synthesizeTemplate()
  const templateOf = (sources: Record<string, string>) => mutatedTemplate(assembly.template, sources)
  return tryMutants({ assembly, root: `${root}/`, read, mutants, seeds, templateOf })
}

/** Planted mistakes with invariants one of which has to catch each. */
const caughtBy: Readonly<Record<string, readonly string[]>> = {
  'a tag that several recordings have': [
    ...['one archive per part', 'every archive accounted for'],
    ...['results say what happened', 'results say how each part ended'],
  ],
  'archives that no attempt adopts': ['one archive per part', 'starts are adopted', 'broadcasts are continued'],
  'a sweep that finds nothing to do': ['nothing left running', 'every show reported', 'shows are settled'],
  'parts that do not overlap': ['no gap between parts', 'parts begin early', 'parts overlap'],
  'a secret of a show in the log': ['no secret shown'],
}

describe('tryMutants', () => {
  it('catches planted mistakes with the seeds that are known', async () => {
    const planted = plantedMutants(read).filter(({ what }) => what in caughtBy)
    const verdicts = await tryThese(planted, 50)
    expect(verdicts).toHaveLength(Object.keys(caughtBy).length)
    for (const { mutant, caught } of verdicts) expect(caughtBy[mutant.what]).toContain(caught?.invariant)
  })

  it('lets pass what changes no outcome, and says which seeds execute it', async () => {
    const file = 'lib/show/run/watch/watch-show.ts'
    const named = mutantsOfSource(file, read(file)).filter(({ what }) => what.startsWith("'It ended.'"))
    const unscheduling = 'lib/show/run/sweep/unschedule.ts' // the show of seed 1 has no schedule
    const unreached = mutantsOfSource(unscheduling, read(unscheduling)).slice(0, 1)
    const verdicts = await tryThese([...named, ...unreached], 1)
    expect(verdicts.map(({ caught }) => caught)).toEqual([undefined, undefined])
    expect(verdicts.find(({ mutant }) => mutant === unreached[0])).toMatchObject({ reachedBy: 0, simulated: 0 })
  })
})
