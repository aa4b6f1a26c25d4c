import { describe, expect, it } from 'vitest'
import { secureBytes } from '../../../../local/sandbox/state/random.ts'

describe('secureBytes', () => {
  it.each([0, 1, 16, 8_192, 8_193])('returns %i bytes', (count) => {
    expect(secureBytes(count)).toHaveLength(count)
  })

  it('returns no bytes twice', () => {
    const given = Array.from({ length: 5_000 }, () => secureBytes(16).toString('hex'))
    expect(new Set(given).size).toBe(given.length)
  })

  it('does not change returned bytes', () => {
    const given = secureBytes(16)
    const before = given.toString('hex')
    for (let count = 0; count < 2_000; count++) secureBytes(16)
    expect(given.toString('hex')).toBe(before)
  })
})
