import { describe, expect, it } from 'vitest'
import { endOfSeries, isStartOf } from '../../../../lib/show/document/series.ts'
import { startOrder } from '../../../../lib/show/document/starts/start.ts'

const series = {
  cron: '0 19 ? * TUE *',
  zone: 'Europe/Berlin',
  until: '2027-03-30',
  except: ['2026-12-22', '2026-12-29'],
}

describe('endOfSeries', () => {
  it('is the end of the last day in the zone', () => {
    expect(endOfSeries(series)).toBe(Date.parse('2027-03-30T22:00:00Z'))
    expect(endOfSeries({ cron: '0 19 ? * TUE *', zone: 'UTC' })).toBeUndefined()
    expect(endOfSeries({ ...series, zone: 'Pacific/Apia', until: '2011-12-30' })).toBe(
      Date.parse('2011-12-31T00:00:00Z'),
    )
  })
})

describe('isStartOf', () => {
  it.each([
    ['2026-12-15T18:00:00Z', true],
    ['2026-12-22T18:00:00Z', false],
    ['2026-12-21T23:30:00Z', false], // it is the 22nd in the zone
    ['2026-12-29T23:30:00Z', true],
    ['2027-03-30T17:00:00Z', true],
    ['2027-03-30T22:00:00Z', false],
  ])('at %s returns whether the series starts', (time, is) => {
    expect(isStartOf(series, Date.parse(time))).toBe(is)
  })
})

describe('startOrder, of a series', () => {
  const problemsOf = (changes: object) =>
    JSON.stringify(startOrder.safeParse({ ...series, ...changes }).error?.issues ?? [])

  it('accepts an end, exceptions and a number of starts', () => {
    expect(problemsOf({ count: 500 })).toBe('[]')
  })

  it.each([
    [{ until: '2027-02-30' }, 'must be a date such as 2027-06-30'],
    [{ until: '2027-03-30T19:00' }, 'must be a date such as 2027-06-30'],
    [{ except: ['2027-01-05', '2027-01-05'] }, 'must not have a date twice'],
    [{ except: ['Christmas'] }, 'must be a date such as 2027-06-30'],
    [{ count: 0 }, 'expected number to be >=1'],
    [{ count: 501 }, 'expected number to be <=500'],
  ])('refuses %j: %s', (changes, message) => {
    expect(problemsOf(changes)).toContain(message)
  })
})
