import { describe, expect, it } from 'vitest'
import { localMinute } from '../../../bin/terminal/local-time.ts'
import { describeStartAndNext } from '../../../bin/terminal/starts.ts'
import { describeStart } from '../../../lib/api/cron-in-words.ts'
import { nextStart } from '../../../lib/show/plan/next-start.ts'

const now = Date.parse('2026-11-22T12:00:00Z') // a Sunday
const weekly = { cron: '0 19 ? * TUE *', zone: 'Europe/Berlin' }

describe('nextStart', () => {
  it('returns the next time in the zone of the start', () => {
    expect(nextStart(weekly, now)).toBe(Date.parse('2026-11-24T18:00:00Z'))
    expect(nextStart({ at: '2026-12-01T19:00', zone: 'Europe/Berlin' }, now)).toBe(Date.parse('2026-12-01T18:00:00Z'))
  })

  it('returns undefined for what has passed', () => {
    expect(nextStart({ at: '2026-11-01T19:00', zone: 'UTC' }, now)).toBeUndefined()
    expect(nextStart({ cron: '0 19 1 1 ? 2026', zone: 'UTC' }, now)).toBeUndefined()
  })
})

describe('describeStartAndNext', () => {
  it('adds the next time of a recurring start', () => {
    const next = localMinute('2026-11-24T18:00:00Z')
    expect(describeStartAndNext(weekly, now)).toBe(`every Tuesday at 19:00 (Europe/Berlin), next on ${next} local time`)
  })

  it('describes a single start once', () => {
    const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
    expect(describeStartAndNext({ at: '2026-12-01T19:00', zone }, now)).toBe(`2026-12-01 19:00 (${zone})`)
    expect(describeStart({ at: '2026-11-01T19:00', zone: 'UTC' })).toBe('2026-11-01 19:00 (UTC)')
  })
})
