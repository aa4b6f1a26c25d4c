import { describe, expect, it } from 'vitest'
import { createReader, findMutants } from '../../../bin/mutants/find-mutants.ts'

const read = createReader()
const find = (choice: Partial<Parameters<typeof findMutants>[1]>) =>
  findMutants(read, { from: 'generated', within: ['lib/show/plan'], sample: undefined, seed: 1, ...choice })

describe('findMutants', () => {
  it('draws the same mutants for the same seed, each once', () => {
    const { mutants, of } = find({ sample: 20 })
    expect(mutants).toHaveLength(20)
    expect(new Set(mutants.map(({ edits }) => JSON.stringify(edits))).size).toBe(20)
    expect(find({ sample: 20 }).mutants).toEqual(mutants)
    expect(find({ sample: 20, seed: 2 }).mutants).not.toEqual(mutants)
    expect(of).toBe(find({}).mutants.length)
  })

  it('generates mutants of sources and definitions, below the given paths', () => {
    const files = (within: string[]) => [...new Set(find({ within }).mutants.map(({ at }) => at.replace(/:\d+$/, '')))]
    expect(files(['statemachines/watch', 'lambdas/show/go-live'])).toEqual([
      ...['lambdas/show/go-live.ts', 'statemachines/watch.asl.json'],
    ])
    expect(files(['lib/publish/editions'])).toEqual(['lib/publish/editions.ts'])
    expect(files(['local'])).toEqual([])
  })

  it('finds planted mistakes by their place', () => {
    expect(find({ from: 'planted', within: ['statemachines/rescue'] }).mutants.map(({ what }) => what)).toEqual([
      'a rescue of one archive that fails all others',
    ])
  })
  it('finds the mistakes of a list by their place', () => {
    const mistake = (file: string, text: string) => ({ what: `no ${text}`, edits: [{ file, text, instead: '' }] })
    const from = [
      mistake('lib/show/plan/rescue-policy.ts', 'RESCUE_AGE ='),
      mistake('lib/publish/editions.ts', 'export function editions'),
    ]
    expect(find({ from: from.slice(0, 1) }).mutants).toMatchObject([{ what: 'no RESCUE_AGE =', kind: 'listed' }])
  })
})
