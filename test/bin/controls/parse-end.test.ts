import { describe, expect, it } from 'vitest'
import { parseEnd } from '../../../bin/controls/parse-end.ts'

const now = new Date(2026, 10, 22, 18, 0).getTime()
const on = (day: number, hour: number, minute: number) => ({ at: new Date(2026, 10, day, hour, minute).getTime() })

describe('parseEnd', () => {
  it.each([
    ['+15m', { seconds: 900 }],
    ['15min', { seconds: 900 }],
    ['+1h30m', { seconds: 5_400 }],
    ['+90s', { seconds: 90 }],
    ['1d', { seconds: 86_400 }],
    ['19:30', on(22, 19, 30)],
    ['9:05', on(23, 9, 5)],
    ['2026-11-22 19:30', on(22, 19, 30)],
    ['2026-11-22T19:30:00Z', { at: Date.parse('2026-11-22T19:30:00Z') }],
  ])('reads %s', (text, end) => {
    expect(parseEnd(text, now)).toEqual(end)
  })

  it.each(['', '15', '+0m', '-15m', '25:00', '19:60', 'later', '2026-13-01T10:00', '+15 m'])('refuses %j', (text) => {
    expect(() => parseEnd(text, now)).toThrow('It must be a duration such as +15m')
  })
})
