import { describe, expect, it } from 'vitest'
import { cronProblem, lastYearOf } from '../../../../../lib/show/document/fields/cron.ts'

describe('cronProblem', () => {
  it.each([
    '0 9 ? * 3#2 *',
    '0 9 ? * TUE#2 *',
    '0/15 8-18 * * ? *',
    '*/5 * L * ? *',
    '0 9 15W JAN,jul ? 2026-2030',
    '0,30 9 ? * MON-FRI 2026',
    '0 9 ? * 6L *',
    '0 9 1-31/2 * ? *',
    '0 0 29 2 ? *',
    '0 0 29 2 ? 2027-2028',
    '0 0 31 2,3 ? *',
    '0 0 30/1 2-4 ? *',
    '0 0 L 2 ? *',
    '0 0 31W 2 ? *',
  ])('accepts %s', (text) => {
    expect(cronProblem(text)).toBeUndefined()
  })

  it.each([
    ['daily', /^must have six fields/],
    ['0 9 * * ?', /^must have six fields/],
    ['0  9 * * ? *', /^must have six fields/],
    ['0 9 * * * *', /must have \? as the day of month or/],
    ['0 9 ? * ? *', /must have \? as the day of month or/],
    ['60 9 * * ? *', /no valid minute/],
    ['-1 9 * * ? *', /no valid minute/],
    ['0/0 9 * * ? *', /no valid minute/],
    ['0 24 * * ? *', /no valid hour/],
    ['? 9 * * ? *', /no valid minute/],
    ['0 9 32 * ? *', /no valid day of month/],
    ['0 9 32W * ? *', /no valid day of month/],
    ['0 9 * 13 ? *', /no valid month/],
    ['0 9 * DEC-JAN ? *', /no valid month/],
    ['0 9 ? * 0 *', /no valid day of week/],
    ['0 9 ? * 3#6 *', /no valid day of week/],
    ['0 9 ? * 3#2,5 *', /no valid day of week/],
    ['0 9 * * ? 1969', /no valid year/],
    ['0 9 1-2-3 * ? *', /no valid day of month/],
    ['0 9 1, * ? *', /no valid day of month/],
    ['0 0 31 2 ? *', /^never occurs/],
    ['0 0 30,31 FEB ? *', /^never occurs/],
    ['0 0 31 2,4-6/2 ? *', /^never occurs/],
    ['0 0 29 2 ? 2029-2031', /^never occurs/],
    ['0 0 29 2 ? 2100', /^never occurs/],
    [`0 0 ${'1,'.repeat(200)}1 * ? *`, /^must have at most 250 characters/],
  ])('refuses %s', (text, problem) => {
    expect(cronProblem(text)).toMatch(problem)
  })
})

describe('lastYearOf', () => {
  it.each([
    ['0 9 * * ? *', 2199],
    ['0 9 * * ? 2020,2018', 2020],
    ['0 9 * * ? 2020-2031/5', 2030],
    ['0 9 * * ? 2198/1', 2199],
  ])('is the last one of %s: %i', (text, year) => {
    expect(lastYearOf(text)).toBe(year)
  })
})
