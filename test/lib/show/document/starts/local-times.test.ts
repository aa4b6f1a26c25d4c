import { describe, expect, it } from 'vitest'
import { instantOf, localTimeOf, secondInstantOf } from '../../../../../lib/show/document/starts/local-times.ts'

const inWords = (local: string, zone: string) => {
  const instant = instantOf(local, zone)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

describe('instantOf', () => {
  it.each([
    ['2026-12-01T19:00', 'UTC', '2026-12-01T19:00:00.000Z'],
    ['2026-12-01T19:00', 'Europe/Berlin', '2026-12-01T18:00:00.000Z'],
    ['2026-07-01T19:00:30', 'Europe/Berlin', '2026-07-01T17:00:30.000Z'],
    ['2026-12-01T00:00', 'America/St_Johns', '2026-12-01T03:30:00.000Z'],
    ['2026-12-01T00:15', 'Pacific/Kiritimati', '2026-11-30T10:15:00.000Z'],
    ['2027-03-28T03:00', 'Europe/Berlin', '2027-03-28T01:00:00.000Z'],
  ])('returns the instant of %s in %s', (local, zone, instant) => {
    expect(inWords(local, zone)).toBe(instant)
  })

  it('returns the first of two', () => {
    expect(inWords('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z')
  })

  it('returns undefined for a time that clocks are set forward over', () => {
    expect(inWords('2027-03-28T02:30', 'Europe/Berlin')).toBeUndefined()
    expect(inWords('2011-12-30T12:00', 'Pacific/Apia')).toBeUndefined()
  })
})

describe('secondInstantOf', () => {
  it('returns the later instant of a local time that occurs twice', () => {
    expect(secondInstantOf('2026-10-25T02:30', 'Europe/Berlin')).toBe(Date.parse('2026-10-25T01:30:00Z'))
    expect(secondInstantOf('2026-10-25T03:00', 'Europe/Berlin')).toBeUndefined()
    expect(secondInstantOf('2026-12-01T19:00', 'UTC')).toBeUndefined()
  })
})

describe('localTimeOf', () => {
  it.each([
    ['2026-12-01T19:00:00.000Z', 'UTC', '2026-12-01T19:00', 'UTC'],
    ['2026-12-01T19:00+01:00', 'UTC', '2026-12-01T18:00', 'UTC'],
    ['2026-12-01T19:00:30+01:00', 'Europe/Berlin', '2026-12-01T19:00:30', 'Europe/Berlin'],
    ['2026-10-25T02:30+02:00', 'Europe/Berlin', '2026-10-25T02:30', 'Europe/Berlin'],
    ['2026-10-25T02:30+01:00', 'Europe/Berlin', '2026-10-25T01:30', 'UTC'],
  ])('returns %s of %s as %s in %s', (time, zone, at, ofZone) => {
    expect(localTimeOf(time, zone)).toEqual({ at, zone: ofZone })
    expect(instantOf(at, ofZone)).toBe(Date.parse(time))
  })

  it('returns undefined for another offset than the zone has', () => {
    expect(localTimeOf('2026-12-01T19:00+02:00', 'Europe/Berlin')).toBeUndefined()
    expect(localTimeOf('2027-03-28T02:30+01:00', 'Europe/Berlin')).toBeUndefined()
    expect(localTimeOf('2026-13-01T19:00Z', 'UTC')).toBeUndefined()
  })
})
