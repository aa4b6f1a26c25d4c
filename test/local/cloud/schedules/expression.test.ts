import { describe, expect, it } from 'vitest'
import { readExpression } from '../../../../local/cloud/schedules/expression.ts'

/** The first times of an expression from a time on. */
function times(text: string, from: string, { zone = 'UTC', count = 4 } = {}): string[] {
  const start = Date.parse(from)
  const { after } = readExpression(text, { zone, anchor: start })
  const found: string[] = []
  for (let time = after(start - 1); time !== undefined && found.length < count; time = after(time))
    found.push(new Date(time).toISOString().slice(0, 16))
  return found
}

describe('readExpression', () => {
  it('counts a rate from its anchor, itself included', () => {
    expect(times('rate(5 minutes)', '2026-01-01T00:01:30Z', { count: 3 })).toEqual([
      '2026-01-01T00:01',
      '2026-01-01T00:06',
      '2026-01-01T00:11',
    ])
    expect(times('rate(1 day)', '2026-03-28T12:00:00Z', { zone: 'Europe/Berlin', count: 3 })).toEqual([
      '2026-03-28T12:00',
      '2026-03-29T12:00',
      '2026-03-30T12:00',
    ])
  })

  it.each([
    ['0/15 9 * * ? *', ['2026-01-01T09:00', '2026-01-01T09:15', '2026-01-01T09:30', '2026-01-01T09:45']],
    ['*/30 9-10 1 * ? *', ['2026-01-01T09:00', '2026-01-01T09:30', '2026-01-01T10:00', '2026-01-01T10:30']],
    ['0 9 ? * 1 *', ['2026-01-04T09:00', '2026-01-11T09:00', '2026-01-18T09:00', '2026-01-25T09:00']],
    ['0 9 ? * SUN *', ['2026-01-04T09:00', '2026-01-11T09:00', '2026-01-18T09:00', '2026-01-25T09:00']],
    ['0 9 ? * 7 *', ['2026-01-03T09:00', '2026-01-10T09:00', '2026-01-17T09:00', '2026-01-24T09:00']],
    ['0 9 ? * L *', ['2026-01-03T09:00', '2026-01-10T09:00', '2026-01-17T09:00', '2026-01-24T09:00']],
    ['0 9 ? * 2-6 *', ['2026-01-01T09:00', '2026-01-02T09:00', '2026-01-05T09:00', '2026-01-06T09:00']],
    ['0 9 ? * mon,WED *', ['2026-01-05T09:00', '2026-01-07T09:00', '2026-01-12T09:00', '2026-01-14T09:00']],
    ['0 9 ? * 3#2 *', ['2026-01-13T09:00', '2026-02-10T09:00', '2026-03-10T09:00', '2026-04-14T09:00']],
    ['0 9 ? * TUE#5 *', ['2026-03-31T09:00', '2026-06-30T09:00', '2026-09-29T09:00', '2026-12-29T09:00']],
    ['0 9 ? * 6L *', ['2026-01-30T09:00', '2026-02-27T09:00', '2026-03-27T09:00', '2026-04-24T09:00']],
    ['0 9 ? * FRIL *', ['2026-01-30T09:00', '2026-02-27T09:00', '2026-03-27T09:00', '2026-04-24T09:00']],
    ['0 9 L * ? *', ['2026-01-31T09:00', '2026-02-28T09:00', '2026-03-31T09:00', '2026-04-30T09:00']],
    ['0 9 3W * ? *', ['2026-01-02T09:00', '2026-02-03T09:00', '2026-03-03T09:00', '2026-04-03T09:00']],
    ['0 9 1 JAN,7-8 ? *', ['2026-01-01T09:00', '2026-07-01T09:00', '2026-08-01T09:00', '2027-01-01T09:00']],
    ['0 9 1 1/6 ? 2026-2027', ['2026-01-01T09:00', '2026-07-01T09:00', '2027-01-01T09:00', '2027-07-01T09:00']],
    ['0 0 29 2 ? 2026/1', ['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00', '2040-02-29T00:00']],
    ['0 0 1 1 ? 2025', []],
    ['0 0 30 2 ? *', []],
  ])('finds the times of cron(%s)', (fields, expected) => {
    expect(times(`cron(${fields})`, '2026-01-01T00:00:00Z')).toEqual(expected)
  })

  it('keeps the second Tuesday at nine in Berlin across both changes of the clocks', () => {
    const zone = 'Europe/Berlin'
    expect(times('cron(0 9 ? * 3#2 *)', '2026-03-01T00:00:00Z', { zone, count: 2 })).toEqual([
      '2026-03-10T08:00',
      '2026-04-14T07:00',
    ])
    expect(times('cron(0 9 ? * TUE#2 *)', '2026-10-01T00:00:00Z', { zone, count: 2 })).toEqual([
      '2026-10-13T07:00',
      '2026-11-10T08:00',
    ])
  })

  it('skips a time that does not exist, however it is written', () => {
    const zone = 'Europe/Berlin'
    // On 29 March 2026 the clocks go from 02:00 to 03:00.
    expect(times('cron(30 2 * * ? *)', '2026-03-28T00:00:00Z', { zone, count: 3 })).toEqual([
      '2026-03-28T01:30',
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ])
    expect(times('cron(0/30 1-3 29 3 ? 2026)', '2026-03-28T00:00:00Z', { zone })).toEqual([
      '2026-03-29T00:00',
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ])
  })

  it('runs once at a time that occurs twice, the first time, however it is written', () => {
    const zone = 'Europe/Berlin'
    // On 25 October 2026 the clocks go from 03:00 back to 02:00.
    expect(times('cron(30 2 * * ? *)', '2026-10-24T12:00:00Z', { zone, count: 2 })).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
    expect(times('cron(0/30 2-3 25 10 ? 2026)', '2026-10-24T12:00:00Z', { zone, count: 5 })).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-25T02:00',
      '2026-10-25T02:30',
    ])
    expect(times('cron(30 2 25 10 ? *)', '2026-10-25T01:10:00Z', { zone, count: 1 })).toEqual(['2027-10-25T00:30'])
  })

  it('knows zones south of the equator, across midnight and with halves of hours', () => {
    expect(times('cron(15 0 * * ? *)', '2026-04-04T00:00:00Z', { zone: 'Australia/Lord_Howe', count: 3 })).toEqual([
      '2026-04-04T13:15',
      '2026-04-05T13:45',
      '2026-04-06T13:45',
    ])
    expect(times('cron(0 0 * * ? *)', '2026-01-01T00:00:00Z', { zone: 'Asia/Kolkata', count: 1 })).toEqual([
      '2026-01-01T18:30',
    ])
  })

  it('takes one time in a zone, and nothing after it', () => {
    const at = 'at(2026-07-01T09:00:00)'
    expect(times(at, '2026-01-01T00:00:00Z', { zone: 'Europe/Berlin' })).toEqual(['2026-07-01T07:00'])
    expect(times(at, '2026-07-01T07:00:01Z', { zone: 'Europe/Berlin' })).toEqual([])
  })

  it.each([
    ['every day', 'every day is neither rate(…), cron(…) nor at(…).'],
    ['rate(0 minutes)', 'rate(0 minutes) must be a positive number and minutes, hours or days.'],
    ['rate(5 weeks)', 'rate(5 weeks) must be'],
    ['cron(0 9 * * ?)', 'cron(0 9 * * ?) must have six fields'],
    ['cron(0 9 * * * *)', 'must have ? for either the day of month or the day of week'],
    ['cron(0 9 ? * ? *)', 'must have ? for either the day of month or the day of week'],
    ['cron(60 9 * * ? *)', 'The minutes of cron(60 9 * * ? *) is not valid.'],
    ['cron(? 9 * * ? *)', 'The minutes of'],
    ['cron(0 24 * * ? *)', 'The hours of'],
    ['cron(0 9 0 * ? *)', 'The day of month of'],
    ['cron(0 9 32W * ? *)', 'The day of month of'],
    ['cron(0 9 1 13 ? *)', 'The month of'],
    ['cron(0 9 1 MON ? *)', 'The month of'],
    ['cron(0 9 ? * 0 *)', 'The day of week of'],
    ['cron(0 9 ? * 8 *)', 'The day of week of'],
    ['cron(0 9 ? * 3#6 *)', 'The day of week of'],
    ['cron(0 9 ? * 3#1,3#2 *)', 'The day of week of'],
    ['cron(0 9 ? * FRI-MON *)', 'The day of week of'],
    ['cron(0 9 * * ? 1969)', 'The year of'],
    ['cron(0 9 * * ? L)', 'The year of'],
    ['cron(0 9/0 * * ? *)', 'The hours of'],
    ['at(2026-02-30T09:00:00)', 'at(2026-02-30T09:00:00) must be a date and time as 2026-03-10T09:00:00.'],
    ['at(2026-03-10)', 'at(2026-03-10) must be a date and time'],
  ])('refuses %s', (text, message) => {
    expect(() => readExpression(text, { anchor: 0 })).toThrow(message)
  })

  it('refuses zones that are not in the database, and one time that its clocks jump over', () => {
    for (const zone of ['Europe/Munich', '+02:00', ''])
      expect(() => readExpression('rate(1 day)', { zone, anchor: 0 })).toThrow(
        'is not a time zone of the IANA database',
      )
    expect(() => readExpression('at(2026-03-29T02:30:00)', { zone: 'Europe/Berlin', anchor: 0 })).toThrow(
      'at(2026-03-29T02:30:00) does not exist in Europe/Berlin: its clocks jump over it.',
    )
  })
})
