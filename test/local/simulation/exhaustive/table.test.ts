import { describe, expect, it } from 'vitest'
import { casesOf, type TriedSite } from '../../../../local/simulation/exhaustive/cases.ts'
import { renderOutcomes, sitesIn, sitesOf } from '../../../../local/simulation/exhaustive/table.ts'

const sites: readonly TriedSite[] = [
  { reference: 'planned', caller: 'StopShow', target: 'platform', operation: 'platform stopArchive' },
  { reference: 'planned', caller: 'cloud', target: 'function', operation: 'lambda StopShow' },
  { reference: 'planned', caller: 'StartRecording', target: 'aws', operation: 's3 PutObject shows/*/state.json' },
]
const outcomes = casesOf(sites).map((one) => ({ ...one, change: 'nothing', isStruck: true, broken: [] }))
const rowOf = (text: string, caller: string) => text.split('\n').find((line) => line.startsWith(`| ${caller} `)) ?? ''

describe('casesOf', () => {
  it('has every fault of a site, in a fixed order', () => {
    expect(casesOf(sites)).toEqual(casesOf(sites.toReversed()))
    const kinds = casesOf(sites).filter(({ site }) => site.caller === 'StopShow')
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        'lost before',
        'lost after',
        'delayed',
        '400',
        '403',
        '404',
        '409',
        '429',
        '500',
        'garbage',
      ]),
    )
    expect(casesOf(sites).filter(({ site }) => site.caller === 'cloud')[0]?.kind).toBe('throttled')
  })
})

describe('renderOutcomes', () => {
  it('names each site, which can be read again', () => {
    const [first, ...others] = outcomes
    if (!first) throw new Error('There are too few cases.')
    const text = renderOutcomes([{ ...first, change: 'failed' }, ...others])
    expect(sitesIn(text).toSorted()).toEqual(sitesOf(sites))
  })

  it('lists the sites where no fault changes anything by their callers', () => {
    expect(rowOf(renderOutcomes(outcomes), 'StopShow')).toBe('| StopShow | `platform stopArchive` |')
  })

  it('shows each case: nothing, an outcome by its letter, a broken invariant, or a fault that does not apply', () => {
    const [first, second, third, fourth, ...others] = outcomes.filter(({ site }) => site.caller === 'StopShow')
    if (!first || !second || !third || !fourth) throw new Error('There are too few cases.')
    const text = renderOutcomes([
      first,
      { ...second, change: 'recording lost' },
      { ...third, broken: [{ invariant: 'stopped', detail: 'It runs.' }] },
      { ...fourth, isStruck: false },
      ...others,
    ])
    const cells = rowOf(text, 'StopShow').split(' | ').slice(2, 6)
    expect(cells).toEqual(['·', 'A', 'B', '–'])
    expect(text).toContain('| A | recording lost |\n| B | **broken: stopped** |')
  })
})
