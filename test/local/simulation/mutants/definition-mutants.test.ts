import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mutantsOfDefinition } from '../../../../local/simulation/mutants/definition-mutants.ts'
import { mutate } from '../../../../local/simulation/mutants/mutant.ts'

const source = JSON.stringify(
  {
    States: {
      A: { Type: 'Choice', Choices: [{ Condition: '{% $a = 1 %}', Next: 'B' }], Default: 'B' },
      B: { Type: 'Task', Assign: { a: '{% $b %}' }, Retry: [{ MaxAttempts: 3 }], Catch: [{ Next: 'A' }], End: true },
    },
  },
  undefined,
  2,
)

/** Returns what the mutants of a kind change, as definitions. */
const definitionsOf = (kind: string) =>
  mutantsOfDefinition('a.asl.json', source)
    .filter((mutant) => mutant.kind === kind)
    .map((mutant) => JSON.parse(mutate(mutant, () => source)['a.asl.json'] ?? '').States)

describe('mutantsOfDefinition', () => {
  it('inverts a condition', () => {
    expect(definitionsOf('condition')[0].A.Choices[0].Condition).toBe('{% $not($a = 1) %}')
  })

  it('removes a choice, a Retry and a Catch', () => {
    expect(definitionsOf('choice removed')[0].A.Choices).toEqual([{ Condition: '{% false %}', Next: 'B' }])
    expect(definitionsOf('retry')[0].B).not.toHaveProperty('Retry')
    expect(definitionsOf('catch')[0].B).not.toHaveProperty('Catch')
  })

  it('changes a number to its double and to 1', () => {
    expect(definitionsOf('number').map(({ B }) => B.Retry[0].MaxAttempts)).toEqual([6, 1])
  })

  it('assigns null', () => {
    expect(definitionsOf('assignment')[0].B.Assign).toEqual({ a: null })
  })

  it('leaves every definition of Showrunner readable, and changes it', () => {
    for (const file of globSync('statemachines/*.json')) {
      const text = readFileSync(file, 'utf8')
      for (const mutant of mutantsOfDefinition(file, text))
        expect(JSON.parse(mutate(mutant, () => text)[file] ?? '')).not.toEqual(JSON.parse(text))
    }
  })
})
