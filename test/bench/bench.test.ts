import { describe, expect, it } from 'vitest'
import { type Measurement, toRow, toTable } from '../../bench/bench.ts'

const cost = { work: 'a call', unit: 'µs', value: 60, baseline: 100 } as const

describe('toRow', () => {
  it.each<[string, Measurement, object]>([
    ['kept', { ...cost, goal: { atMost: 0.6 } }, { ratio: 0.6, goal: 0.6, met: true }],
    ['missed', { ...cost, goal: { atMost: 0.5 } }, { ratio: 0.6, goal: 0.5, met: false }],
    ['kept from below', { ...cost, goal: { atLeast: 0.6 } }, { ratio: 0.6, goal: 0.6, met: true }],
    ['missed from below', { ...cost, goal: { atLeast: 0.7 } }, { ratio: 0.6, goal: 0.7, met: false }],
    ['kept by the value', { ...cost, goal: { atMost: 60, of: 'value' } }, { ratio: 0.6, goal: 60, met: true }],
    ['missed by the value', { ...cost, goal: { atLeast: 61, of: 'value' } }, { ratio: 0.6, goal: 61, met: false }],
    ['missed unmeasured', { ...cost, value: null, goal: { atMost: 0.5 } }, { ratio: null, goal: 0.5, met: false }],
    ['none', cost, { ratio: 0.6, goal: null, met: null }],
    ['without a baseline', { ...cost, baseline: null }, { ratio: null, goal: null, met: null }],
  ])('evaluates a goal that is %s', (_, measurement, row) => {
    const { goal: _goal, ...figures } = measurement
    expect(toRow('x', measurement)).toEqual({ bench: 'x', ...figures, ...row })
  })
})

describe('toTable', () => {
  it('shows every figure in line, and a missed goal as missed', () => {
    const rate = { work: 'a rate', unit: '/s', value: 12_345.6, baseline: null }
    const kept = { ...rate, goal: { atLeast: 5_000, of: 'value' } } as const
    expect(toTable('x', [{ ...cost, goal: { atMost: 0.5 } }, rate, kept])).toBe(
      [
        'work     value  baseline  unit  ratio  goal',
        'a call    60.0       100  µs     0.60  ≤ 0.50         MISSED',
        'a rate  12,346         –  /s        –',
        'a rate  12,346         –  /s        –  value ≥ 5,000  met',
        '',
      ].join('\n'),
    )
  })
})
