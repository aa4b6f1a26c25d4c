import { describe, expect, it } from 'vitest'
import { areasOf, describeFinding, findingsOf, summarizeMutants } from '../../../bin/mutants/report.ts'
import type { Change } from '../../../local/simulation/outcomes/recorded-outcomes.ts'

const mutant = (at: string) => ({ at, what: '1 → 2', kind: 'number', edits: [] })
const [caught, same, different, unreached] = [
  'lib/show/a.ts:10',
  'lib/show/a.ts:9',
  'lambdas/b.ts:1',
  'lib/publish/c.ts:1',
].map(mutant) as [Mutant, Mutant, Mutant, Mutant]
type Mutant = ReturnType<typeof mutant>
const by = { seed: 4, invariant: 'no gap between parts', detail: 'a gap' } as const
const changed: Change[] = [
  { seed: 3, parts: ['trace', 'resources'] },
  { seed: 5, parts: ['trace'] },
]
const simulation = [
  { mutant: caught, caught: by, reachedBy: 50, simulated: 3, changed: [] },
  { mutant: same, reachedBy: 50, simulated: 50, changed: [] },
  { mutant: different, reachedBy: 7, simulated: 7, changed },
  { mutant: unreached, reachedBy: 0, simulated: 0, changed: [] },
]
const tests = [{ mutant: different, test: 'test/b.test.ts: b' }, { mutant: same }, { mutant: unreached }]

describe('findingsOf', () => {
  it('combines what simulation and tests found, by place', () => {
    expect(findingsOf({ simulation, tests }).map(({ at, caught, test }) => [at, caught, test])).toEqual([
      ['lambdas/b.ts:1', true, 'test/b.test.ts: b'],
      ['lib/publish/c.ts:1', false, null],
      ['lib/show/a.ts:9', false, null],
      ['lib/show/a.ts:10', true, null],
    ])
  })
})

describe('areasOf', () => {
  it('counts by folder', () => {
    expect(areasOf(findingsOf({ simulation, tests: undefined }))).toEqual([
      { area: 'lambdas', mutants: 1, caught: 0, unreached: 0 },
      { area: 'lib/publish', mutants: 1, caught: 0, unreached: 1 },
      { area: 'lib/show', mutants: 2, caught: 1, unreached: 0 },
    ])
  })
})

describe('describeFinding', () => {
  it('says why a mutant survives, and what catches one', () => {
    expect(findingsOf({ simulation, tests: undefined }).map(describeFinding)).toEqual([
      'survives (it changes the trace, resources of seed 3 and 1 more of 7 seeds): lambdas/b.ts:1 1 → 2',
      'survives (no seed executes it): lib/publish/c.ts:1 1 → 2',
      'survives (no outcome changes in 50 seeds): lib/show/a.ts:9 1 → 2',
      'caught by seed 4, “no gap between parts”: lib/show/a.ts:10 1 → 2',
    ])
    const [first, second] = findingsOf({ simulation: undefined, tests })
    expect(first && describeFinding(first)).toBe('caught by test/b.test.ts: b: lambdas/b.ts:1 1 → 2')
    expect(second && describeFinding(second)).toBe('survives: lib/publish/c.ts:1 1 → 2')
    expect(second && describeFinding({ ...second, harmless: 'The sweep does the same.' })).toBe(
      'survives, and is harmless: lib/publish/c.ts:1 1 → 2. The sweep does the same.',
    )
  })
})

describe('summarizeMutants', () => {
  it('lists survivors and shares', () => {
    const findings = findingsOf({ simulation, tests: undefined })
    const report = { of: 900, seeds: 50, seconds: 7, caught: 1, areas: areasOf(findings), findings }
    const lines = summarizeMutants(report).trimEnd().split('\n')
    expect(lines.filter((line) => line.startsWith('survives'))).toHaveLength(3)
    expect(lines).toContain('lib/publish      0 of 1 caught (0 %), 1 that no seed executes')
    expect(lines).toContain('no gap between parts: 1')
    expect(lines.slice(-2)).toEqual([
      '1 of 4 mutants are caught (25 %), of 900, by 50 seeds, in 7 s.',
      '1 more change the outcome of a seed (50 % together).',
    ])
  })

  it('leaves harmless mutants out of the share', () => {
    const [first, ...others] = findingsOf({ simulation, tests: undefined })
    const findings = first ? [{ ...first, harmless: 'The sweep does the same.' }, ...others] : []
    const report = { of: 900, seeds: 50, seconds: 7, caught: 1, areas: [], findings }
    expect(summarizeMutants(report)).toContain('1 of 3 mutants are caught (33 %)')
  })
})
