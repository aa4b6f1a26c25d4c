import jsonata from 'jsonata'
import { describe, expect, it } from 'vitest'
import { compileQuickQuery, UNDECIDED } from '../../../../../local/cloud/states/definition/quick-queries.ts'

const time = '2030-01-01T00:00:10.000Z'
const values = [null, 0, 1, 2.5, 'present', '', true, false, {}, { inner: 1 }, [], [1], [1, 2], [[1]], time, undefined]
const sources = [
  '$value',
  '$states.input.value',
  '$states.input.value.inner',
  "$states.input.value = 'present'",
  "$states.input.value != 'present'",
  "'present' = $value",
  '$states.input.value != null',
  '$value = true',
  '$value > 1',
  '$value >= 1',
  '$value < 1',
  '$value <= 1',
  '$value - 1',
  '$count($states.input.value) > 0',
  '$count($value)',
  '$toMillis($value) - $toMillis($states.input.time) > 3500',
]

describe('compileQuickQuery', () => {
  it('agrees with JSONata wherever it decides', async () => {
    for (const source of sources) {
      const expression = jsonata(source)
      const quick = compileQuickQuery(expression)
      for (const value of values) {
        const bindings = { value, states: { input: { value, time: '2030-01-01T00:00:00.000Z' } } }
        const found = quick?.(bindings)
        if (found === UNDECIDED) continue
        expect({ source, value, found }).toEqual({
          source,
          value,
          found: await expression.evaluate(undefined, bindings),
        })
      }
    }
  })

  it('decides the usual cases', () => {
    const decide = (source: string, value: unknown) =>
      compileQuickQuery(jsonata(source))?.({ value, states: { input: { value, time } } })
    expect(sources.map((source) => compileQuickQuery(jsonata(source)))).not.toContain(undefined)
    expect(decide("$states.input.value != 'absent'", 'absent')).toBe(false)
    expect(decide('$states.input.value != null', { action: 'start' })).toBe(true)
    expect(decide('$count($states.input.value) > 0', [1])).toBe(true)
    expect(decide('$toMillis($states.input.time) - $toMillis($value) > 3500', '2030-01-01T00:00:00.000Z')).toBe(true)
  })

  it.each([
    '$value[0]',
    '[$value]',
    '$value.inner[]',
    '$value{"one": 1}',
    '$value & "text"',
    '$value.*',
    '$sum($value)',
    '$count($value, 1)',
    'value',
    '$',
    '$value.(inner)',
  ])('leaves %s to JSONata', (source) => {
    expect(compileQuickQuery(jsonata(source))).toBeUndefined()
  })

  it('leaves functions to JSONata that a variable of a machine replaces', () => {
    expect(compileQuickQuery(jsonata('$count($value)'))?.({ value: [1], count: 1 })).toBe(UNDECIDED)
  })
})
