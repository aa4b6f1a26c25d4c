import { describe, expect, it } from 'vitest'
import { webVttTime } from '../../../../lib/media/captions/web-vtt-time.ts'

describe('webVttTime', () => {
  it.each([
    [0, '00:00:00.000'],
    [59.9996, '00:01:00.000'],
    [3599.9994, '00:59:59.999'],
    [43_200.25, '12:00:00.250'],
    [360_000, '100:00:00.000'],
  ])('writes %d s as %s', (seconds, text) => {
    expect(webVttTime(seconds)).toBe(text)
  })
})
