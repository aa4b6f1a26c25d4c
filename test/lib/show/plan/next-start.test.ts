import { describe, expect, it } from 'vitest'
import { nextStart } from '../../../../lib/show/plan/next-start.ts'
import { readExpression } from '../../../../local/cloud/schedules/expression.ts'

const NOW = Date.parse('2026-11-20T09:00:00Z')
const iso = (time: number | undefined) => time && new Date(time).toISOString()

describe('nextStart', () => {
  it('returns a single start until it has passed', () => {
    const start = { at: '2026-11-20T19:00', zone: 'Europe/Berlin' }
    expect(iso(nextStart(start, NOW))).toBe('2026-11-20T18:00:00.000Z')
    expect(nextStart(start, Date.parse('2026-11-20T18:00:00Z'))).toBeUndefined()
  })

  it.each([
    ['0 9 ? * 3#2 *', '2026-12-08T08:00:00.000Z'],
    ['30 18 ? * MON-FRI *', '2026-11-20T17:30:00.000Z'],
    ['0 0 L * ? *', '2026-11-29T23:00:00.000Z'],
    ['0 0 29 2 ? *', '2028-02-28T23:00:00.000Z'],
  ])('returns the next start of %s in its zone', (cron, next) => {
    expect(iso(nextStart({ cron, zone: 'Europe/Berlin' }, NOW))).toBe(next)
  })

  it('returns nothing after the last year', () => {
    expect(nextStart({ cron: '0 9 1 1 ? 2026', zone: 'UTC' }, NOW)).toBeUndefined()
  })

  it('leaves out excepted dates, and ends with the last day of a series', () => {
    const start = { cron: '0 19 * * ? *', zone: 'UTC', except: ['2026-12-02'], until: '2026-12-03' }
    expect(iso(nextStart(start, Date.parse('2026-12-01T19:00:00Z')) ?? 0)).toBe('2026-12-03T19:00:00.000Z')
    expect(nextStart(start, Date.parse('2026-12-03T19:00:00Z'))).toBeUndefined()
  })

  // The schedules of the local cloud are read by croner, which shares no code with this.
  it.each([
    '* * * * ? *',
    '0/7 3 * 3,10 ? *',
    '30 2 ? * SUN *',
    '15 2 L 3,10 ? *',
    '0 12 15W * ? *',
    '0 12 1W,31W * ? *',
    '59 23 ? 2 6L 2027-2030',
    '5,35 8-18/2 ? JAN-JUN TUE,THU *',
    '0 0 ? * L *',
    '0 6 ? * 1#5 *',
  ])('agrees with the schedules of the local cloud about %s', (cron) => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
      const scheduled = readExpression(`cron(${cron})`, { zone, anchor: 0 })
      for (const from of [
        '2026-10-25T00:15:00Z',
        '2027-03-13T23:59:59Z',
        '2027-03-28T00:30:00Z',
        '2028-02-28T12:00:00Z',
      ]) {
        let [own, other] = [Date.parse(from), Date.parse(from)]
        for (let count = 0; count < 4 && own && other; count++) {
          ;[own, other] = [nextStart({ cron, zone }, own) ?? 0, scheduled.after(other) ?? 0]
          expect(iso(own), `${zone} after ${from}`).toBe(iso(other))
        }
      }
    }
  })
})
