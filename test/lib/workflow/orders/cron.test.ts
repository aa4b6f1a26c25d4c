import { describe, expect, it } from 'vitest'
import { cronProblem } from '../../../../lib/workflow/orders/cron.ts'

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
  ])('takes %s', (text) => {
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
  ])('refuses %s', (text, problem) => {
    expect(cronProblem(text)).toMatch(problem)
  })
})
