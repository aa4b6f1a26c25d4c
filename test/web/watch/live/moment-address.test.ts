import { describe, expect, it } from 'vitest'
import { addressAtTime, momentAtTime, namedTime } from '../../../../web/watch/live/moment-address.ts'
import { addressAt } from '../../../../web/watch/start-time.ts'

const PAGE = 'https://example.com/watch/show/launch/embed?expires=1&signature=a#t=5'
const TIME = Date.UTC(2026, 10, 27, 9, 30, 5, 900)

describe('addressAtTime', () => {
  it('names a second, in place of another moment', () => {
    const address = 'https://example.com/watch/show/launch?expires=1&signature=a&at=2026-11-27T09:30:05Z'
    expect(addressAtTime(PAGE, TIME)).toBe(address)
    expect(addressAtTime(`${address}&t=9`, TIME)).toBe(address)
    expect(addressAtTime('https://example.com/watch/show/launch', TIME)).toMatch(/launch\?at=2026/)
    expect(addressAt(address, { from: 3 })).toBe('https://example.com/watch/show/launch?expires=1&signature=a&t=3')
  })
})

describe('namedTime', () => {
  it('reads the time of an address, and no other text', () => {
    const { search } = new URL(addressAtTime(PAGE, TIME))
    expect(namedTime({ search })).toBe(TIME - 900)
    expect(namedTime({ search: '?at=soon' })).toBeUndefined()
    expect(namedTime({ search: '?t=5' })).toBeUndefined()
  })
})

describe('momentAtTime', () => {
  const recording = { createdAt: '2026-11-27T09:30:00.000Z', duration: 60 }

  it('returns the place of a time in the recording that has it', () => {
    expect(momentAtTime(TIME, recording)).toEqual({ from: 5.9 })
    expect(momentAtTime(TIME - 10_000, recording)).toBeUndefined()
    expect(momentAtTime(TIME + 60_000, recording)).toBeUndefined()
    expect(momentAtTime(undefined, recording)).toBeUndefined()
    expect(momentAtTime(TIME, { ...recording, duration: null })).toBeUndefined()
  })
})
