import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCountdown, timeLeft } from '../../../../web/watch/live/countdown.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('timeLeft', () => {
  it.each([
    [0, '0:00'],
    [59.2, '1:00'],
    [3_599, '59:59'],
    [18_249, '5:04:09'],
    [172_799, '47:59:59'],
    [259_200, '3 days'],
  ])('formats %d s as %s', (seconds, text) => {
    expect(timeLeft(seconds)).toBe(text)
  })
})

describe('createCountdown', () => {
  it('counts down each second, and is hidden from the start on, which it reports once', () => {
    const started = vi.fn()
    const element = { textContent: '' as string | null, hidden: true }
    createCountdown(element, started)(2_000)
    expect(element).toEqual({ textContent: '0:02', hidden: false })
    vi.advanceTimersByTime(1_000)
    expect(element.textContent).toBe('0:01')
    expect(started).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5_000)
    expect(element.hidden).toBe(true)
    expect(started).toHaveBeenCalledOnce()
  })
})
