import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../local/simulation/outcomes/outcome.ts'
import {
  changesOf,
  parseOutcomes,
  readOutcomes,
  renderOutcomes,
  withOutcomes,
} from '../../../../local/simulation/outcomes/recorded-outcomes.ts'

const outcome = (changed: Partial<Outcome> = {}): Outcome => ({
  ...{ trace: 'a1', documents: 'b2', callbacks: 'c3', answers: 'd4', resources: 'e5', stack: '' },
  ...changed,
})

describe('renderOutcomes', () => {
  it('writes a line for each seed, which is read again', () => {
    const outcomes = new Map([
      [1, outcome()],
      [2, outcome({ resources: '99' })],
    ])
    const text = renderOutcomes(outcomes)
    expect(text.split('\n').slice(0, 2)).toEqual([
      'seed,trace,documents,callbacks,answers,resources,stack',
      '1,a1,b2,c3,d4,e5,',
    ])
    expect(parseOutcomes(text)).toEqual(outcomes)
  })
})

describe('withOutcomes', () => {
  it('replaces the outcomes of the same seeds, and keeps the others in order', () => {
    const recorded = new Map([
      [1, outcome()],
      [3, outcome()],
    ])
    const added = withOutcomes(recorded, new Map([[3, outcome({ trace: '0' })]]))
    const all = withOutcomes(added, new Map([[2, outcome()]]))
    expect([...all]).toEqual([
      [1, outcome()],
      [2, outcome()],
      [3, outcome({ trace: '0' })],
    ])
  })
})

describe('changesOf', () => {
  it('names the seeds and parts that changed, and passes over seeds that are not recorded', () => {
    const recorded = new Map([
      [1, outcome()],
      [2, outcome()],
    ])
    const changed = new Map([
      [1, outcome()],
      [2, outcome({ trace: '0', resources: '0' })],
      [3, outcome({ trace: '0' })],
    ])
    expect(changesOf(changed, recorded)).toEqual([{ seed: 2, parts: ['trace', 'resources'] }])
  })
})

describe('readOutcomes', () => {
  it('has the first hundred seeds', () => {
    expect([...readOutcomes().keys()]).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })
})
