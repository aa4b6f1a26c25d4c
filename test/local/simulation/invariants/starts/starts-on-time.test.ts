import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { startsOnTime } from '../../../../../local/simulation/invariants/starts/starts-on-time.ts'
import { showWith } from '../made-up-evidence.ts'

const zone = 'Europe/Berlin'
const at = (time: string) => Date.parse(time)

const faultAt = (at: number, caller = 'StartShow'): FailedCall => ({
  ...{ caller, operation: 's3 GetObject shows/…/state.json', kind: '500', at },
})

/** Judges a show that started at this time. */
const judge = (start: object, startedAt: string, failedCalls = [] as FailedCall[], audienceWait = 0) => {
  const show = { ...showWith({ request: { start, audienceWait } }), startedAt: at(startedAt) }
  return startsOnTime({ shows: [show], objects: new Map(), trace: [], failedCalls })
}

describe('startsOnTime', () => {
  it('accepts the local time on both sides of a change of clocks', () => {
    expect(judge({ at: '2030-03-31T01:30', zone }, '2030-03-31T00:30:20Z')).toEqual([])
    expect(judge({ at: '2030-03-31T03:30', zone }, '2030-03-31T01:30:20Z')).toEqual([])
    expect(judge({ cron: '30 3 * * ? *', zone }, '2030-03-31T01:30:20Z')).toEqual([])
  })

  it('expects the first of two equal local times', () => {
    expect(judge({ at: '2030-10-27T02:30', zone }, '2030-10-27T00:30:00Z')).toEqual([])
    expect(judge({ at: '2030-10-27T02:30', zone }, '2030-10-27T01:30:00Z').join()).toContain('3600 s after its time')
  })

  it('accepts that a single start is spread by a fifteenth of its audience wait, at most over a minute', () => {
    const spread = (audienceWait: number, startedAt: string, start: object = { at: '2030-03-31T03:30', zone }) =>
      judge(start, startedAt, [], audienceWait)
    expect(spread(300, '2030-03-31T01:31:20Z')).toEqual([])
    expect(spread(300, '2030-03-31T01:31:21Z').join()).toContain('81 s after its time')
    expect(spread(9_000, '2030-03-31T01:32:01Z').join()).toContain('121 s after its time')
    expect(spread(300, '2030-03-31T01:31:20Z', { cron: '30 3 * * ? *', zone })).toHaveLength(1)
  })

  it('finds a start before its time, also under a fault', () => {
    const early = judge({ at: '2030-03-31T03:30', zone }, '2030-03-31T00:30:00Z', [faultAt(0)])
    expect(early.join()).toContain('3600 s before its time')
  })

  it('finds a late start, unless a fault delays it', () => {
    const late = [{ cron: '30 3 * * ? *', zone }, '2030-03-31T02:30:00Z'] as const
    expect(judge(...late).join()).toContain('3600 s after its time')
    expect(judge(...late, [faultAt(at('2030-03-31T01:31:00Z'))])).toEqual([])
    expect(judge(...late, [faultAt(at('2030-03-31T01:00:00Z'), 'Api')])).toEqual([])
    expect(judge(...late, [faultAt(at('2030-03-31T01:31:00Z'), 'WatchShow')])).toHaveLength(1)
  })
})
