import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseHeights, parseInstant, parseLabel } from '../../bin/parsers.ts'

afterEach(() => void vi.unstubAllEnvs())

describe('parseInstant', () => {
  it.each([
    ['2026-12-01', '2026-11-30T23:00:00.000Z'],
    ['2026-07-01T19:00', '2026-07-01T17:00:00.000Z'],
    ['2026-12-01T19:00Z', '2026-12-01T19:00:00.000Z'],
    ['2026-12-01T19:00:30-05:00', '2026-12-02T00:00:30.000Z'],
  ])('reads %s in the zone of this machine, unless it has another', (text, instant) => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect(parseInstant(text)).toBe(instant)
  })

  it.each(['tomorrow', '2026-13-01', '1', ''])('refuses %j', (text) => {
    expect(() => parseInstant(text)).toThrow('It must be a day or a time, such as 2026-12-01 or 2026-12-01T19:00.')
  })
})

describe('parseLabel', () => {
  it('refuses a name without a value', () => {
    expect(parseLabel('customer=c-7')).toBe('customer=c-7')
    expect(() => parseLabel('customer')).toThrow('It must be a name and a value, such as customer=c-7.')
  })
})

describe('parseHeights', () => {
  it('reads even numbers that differ', () => {
    expect(parseHeights('480,240')).toEqual([480, 240])
    for (const text of ['480,480', '361', '720,480,360,240,180'])
      expect(() => parseHeights(text)).toThrow('It must be one to four different even numbers, such as 360 or 480,240.')
    expect(() => parseHeights('')).toThrow('It must be a whole number from 90 to 1080.')
  })
})
