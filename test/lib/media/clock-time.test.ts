import { describe, expect, it } from 'vitest'
import { clockTime, formatTimeRange } from '../../../lib/media/time-range.ts'

describe('clockTime', () => {
  it.each([
    [0, '0:00'],
    [-0.02, '0:00'],
    [59.99, '0:59'],
    [750, '12:30'],
    [3600, '1:00:00'],
    [43_509.4, '12:05:09'],
  ])('says of %d s that it is %s', (seconds, text) => {
    expect(clockTime(seconds)).toBe(text)
  })
})

describe('clockSpan', () => {
  it('covers all of it', () => {
    expect(formatTimeRange({ start: 12.9, end: 3599.1 })).toBe('between 0:12 and 1:00:00')
  })
})
