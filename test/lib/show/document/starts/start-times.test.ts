import { describe, expect, it } from 'vitest'
import { passedStart, problemsOfPast } from '../../../../../lib/show/document/starts/start-times.ts'

const now = Date.parse('2027-01-01T12:00:00Z')

describe('passedStart', () => {
  it('returns the time of a past start', () => {
    expect(passedStart({ at: '2027-01-01T13:00', zone: 'Europe/Berlin' }, now)).toEqual(new Date(now))
    expect(passedStart({ at: '2027-01-01T13:01', zone: 'Europe/Berlin' }, now)).toBeUndefined()
    expect(passedStart({ cron: '0 9 * * ? 2020', zone: 'UTC' }, now)).toBeUndefined()
    expect(passedStart(undefined, now)).toBeUndefined()
  })
})

describe('problemsOfPast', () => {
  it('reports that the time of a single start has passed', () => {
    expect(problemsOfPast({ at: '2027-01-01T12:30', zone: 'Europe/Berlin' }, now)).toEqual([
      { path: 'start.at', message: 'has passed: it was 2027-01-01T11:30:00.000Z' },
    ])
    expect(problemsOfPast({ at: '2027-01-01T12:30', zone: 'UTC' }, now)).toEqual([])
  })

  it('reports that the last year of a recurring start has passed, once it has in every zone', () => {
    const start = { cron: '0 9 * * ? 2020-2026', zone: 'Pacific/Honolulu' }
    expect(problemsOfPast(start, now)).toEqual([]) // there it was 2026 a few hours ago
    expect(problemsOfPast(start, now + 86_400_000)).toEqual([
      { path: 'start.cron', message: 'has passed: its last year was 2026' },
    ])
    expect(problemsOfPast({ cron: '0 9 * * ? *', zone: 'UTC' }, now)).toEqual([])
  })

  it('reports that the last day of a series has passed, once it has in its zone', () => {
    const start = { cron: '0 9 * * ? *', zone: 'Pacific/Honolulu', until: '2026-12-31' }
    const end = Date.parse('2027-01-01T10:00:00Z')
    expect(problemsOfPast(start, end - 1)).toEqual([])
    expect(problemsOfPast(start, end)).toEqual([
      { path: 'start.until', message: 'has passed: its last day was 2026-12-31' },
    ])
  })
})
