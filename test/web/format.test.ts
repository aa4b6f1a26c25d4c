import { describe, expect, it } from 'vitest'
import { clockTime, fileSize, moment, timeOfDay } from '../../web/format.ts'

describe('clockTime', () => {
  it.each([
    [0, '0:00'],
    [7.9, '0:07'],
    [720, '12:00'],
    [3723, '1:02:03'],
    [-3, '0:00'],
  ])('formats %d seconds as %s', (seconds, text) => {
    expect(clockTime(seconds)).toBe(text)
  })
})

describe('fileSize', () => {
  it.each([
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [2_160_269, '2.2 MB'],
    [3_200_000_000, '3.2 GB'],
  ])('formats %d bytes as %s, on one line', (bytes, text) => {
    expect(fileSize(bytes)).toBe(text.replace(' ', '\u00a0'))
  })
})

describe('moment', () => {
  const now = Date.parse('2026-03-01T10:00:00Z')

  it('names the date only if it is not today', () => {
    expect(moment('2026-03-01T08:05:00Z', now, 'UTC')).toBe('today, 08:05')
    expect(moment('2026-02-28T23:59:00Z', now, 'UTC')).toBe('28 Feb 2026, 23:59')
  })

  it('determines today in the time zone', () => {
    expect(moment('2026-02-28T23:59:00Z', now, 'Asia/Tokyo')).toBe('today, 08:59')
  })
})

describe('timeOfDay', () => {
  it('uses a 24-hour clock', () => {
    expect(timeOfDay('2026-03-01T20:05:09.700Z', 'UTC')).toBe('20:05:09')
  })
})
