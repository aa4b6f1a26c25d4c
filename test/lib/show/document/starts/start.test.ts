import { describe, expect, it } from 'vitest'
import { startOrder } from '../../../../../lib/show/document/starts/start.ts'

describe('startOrder', () => {
  it.each([
    [{ at: '2026-12-01T19:00' }, { at: '2026-12-01T19:00', zone: 'UTC' }],
    [{ at: '2026-12-01T19:00Z' }, { at: '2026-12-01T19:00', zone: 'UTC' }],
    [{ at: '2026-12-01T19:00:00.000+01:00' }, { at: '2026-12-01T18:00', zone: 'UTC' }],
    [
      { at: '2026-12-01T19:00+01:00', zone: 'Europe/Berlin' },
      { at: '2026-12-01T19:00', zone: 'Europe/Berlin' },
    ],
    [
      { at: '2026-10-25T02:30:15+01:00', zone: 'Europe/Berlin' },
      { at: '2026-10-25T01:30:15', zone: 'UTC' },
    ],
  ])('reads %j as %j, and that as itself', (start, parsed) => {
    expect(startOrder.parse(start)).toEqual(parsed)
    expect(startOrder.parse(parsed)).toEqual(parsed)
  })

  it.each([
    ['2026-12-01T19:00+02:00', 'has another offset than Europe/Berlin at that time: leave out one of them'],
    ['2027-03-28T02:30+01:00', 'has another offset than Europe/Berlin at that time: leave out one of them'],
    ['2027-03-28T02:30', 'does not exist in Europe/Berlin: its clocks are set forward over it'],
    ['2026-02-30T19:00+01:00', 'is not a date'],
    ['2026-13-01T19:00Z', 'is not a date'],
    ['2026-12-01T19:00+99:99', 'is not a date'],
    ['2199-12-31T23:30-05:00', 'must be in the years 1970 to 2199'],
    ['2026-12-01T19:00.5Z', 'must be a time such as 2026-12-01T19:00 or 2026-12-01T19:00+01:00'],
    ['2026-12-01', 'must be a time such as 2026-12-01T19:00 or 2026-12-01T19:00+01:00'],
  ])('refuses %s in Europe/Berlin: %s', (at, message) => {
    expect(JSON.stringify(startOrder.safeParse({ at, zone: 'Europe/Berlin' }).error?.issues)).toContain(message)
  })

  it('refuses an unknown zone of a time with an offset', () => {
    const { error } = startOrder.safeParse({ at: '2026-12-01T19:00Z', zone: 'Mars/Olympus' })
    expect(error?.issues.map(({ message }) => message)).toEqual(['must be a time zone such as Europe/Berlin'])
  })
})
