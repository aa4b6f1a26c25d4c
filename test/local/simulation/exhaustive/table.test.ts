import { describe, expect, it } from 'vitest'
import { casesOf, type TriedSite } from '../../../../local/simulation/exhaustive/cases.ts'
import { renderOutcomes, sitesIn, sitesOf } from '../../../../local/simulation/exhaustive/table.ts'

const sites: readonly TriedSite[] = [
  { reference: 'planned', caller: 'StopShow', target: 'platform', operation: 'platform stopArchive' },
  { reference: 'planned', caller: 'cloud', target: 'function', operation: 'lambda StopShow' },
  { reference: 'planned', caller: 'StartRecording', target: 'aws', operation: 's3 PutObject shows/*/state.json' },
]
const outcomes = casesOf(sites).map((one) => ({ ...one, became: 'nothing', struck: true, broken: [] }))
const rowOf = (text: string, caller: string) => text.split('\n').find((line) => line.startsWith(`| ${caller} `)) ?? ''

describe('casesOf', () => {
  it('has every fault that a site can have, in an order of its own', () => {
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
  it('has a row for each site, which can be read again', () => {
    expect(sitesIn(renderOutcomes(outcomes))).toEqual(sitesOf(sites))
  })

  it('says what became of each case: nothing, something, a broken invariant, or a call that there was not', () => {
    const [first, second, third, fourth, ...others] = outcomes.filter(({ site }) => site.caller === 'StopShow')
    if (!first || !second || !third || !fourth) throw new Error('There are too few cases.')
    const text = renderOutcomes([
      first,
      { ...second, became: 'recording lost' },
      { ...third, broken: [{ invariant: 'stopped', detail: 'It runs.' }] },
      { ...fourth, struck: false },
      ...others,
    ])
    const cells = rowOf(text, 'StopShow').split(' | ').slice(2, 6)
    expect(cells).toEqual(['·', 'recording lost', '**broken: stopped**', '–'])
  })
})
