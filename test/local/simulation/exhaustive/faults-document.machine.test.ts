import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import { runFaultless } from '../../../../local/simulation/exhaustive/run-cases.ts'
import { sitesIn, sitesOf } from '../../../../local/simulation/exhaustive/table.ts'

// Outcomes of cases take many minutes. Sites of calls do not, and change with the code.
it('docs/faults.md has a row for each place from which the reference shows make calls', {
  timeout: 120_000,
}, async () => {
  const { sites } = await runFaultless(await synthesizeTemplate())
  const advice = 'Run npm run simulate -- --exhaustive --write.'
  expect(sitesIn(readFileSync('docs/faults.md', 'utf8')).toSorted(), advice).toEqual(sitesOf(sites).toSorted())
})
