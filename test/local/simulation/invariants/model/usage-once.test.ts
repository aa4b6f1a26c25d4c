import { describe, expect, it } from 'vitest'
import { usageOnce } from '../../../../../local/simulation/invariants/model/usage-once.ts'
import type { UsageEvidence } from '../../../../../local/simulation/invariants/recorded-usage.ts'
import { faultAt, showWith } from '../made-up-evidence.ts'

const DAY = 86_400_000
const ended = { sessionId: 'session', startedAt: new Date(0).toISOString(), endedAt: new Date(1_000).toISOString() }
const minutes = { participantMinutes: 30.5, hlsMinutes: null }
const record = (more: Partial<UsageEvidence> = {}): UsageEvidence => ({
  ...{ key: 'usage/2030-01-01.json', recorded: minutes, reported: minutes, meetings: ['m'] },
  ...more,
})
const recorded = new Map([['shows/a-show/usage.json', { text: '', size: 0, sha256: '' }]])
const check = (usage: UsageEvidence[], more: object = {}) =>
  usageOnce({
    ...{
      usage,
      shows: [showWith({ state: ended })],
      objects: recorded,
      trace: [],
      failedCalls: [],
      now: 4 * DAY,
      hasInsights: true,
    },
    ...more,
  })

describe('usageOnce', () => {
  it('accepts the minutes that Insights report', () => {
    expect(check([record(), record({ reported: { participantMinutes: 30.52, hlsMinutes: null } })])).toEqual([])
  })

  it('finds minutes that are counted twice, or not at all', () => {
    expect(check([record({ recorded: { participantMinutes: 61 } })])).toEqual([
      'usage/2030-01-01.json has 61 participantMinutes, where Insights report 30.5',
    ])
    expect(check([record({ recorded: { participantMinutes: null } })])).toHaveLength(1)
  })

  it('finds a report of quality that is written again, unless a call failed', () => {
    const written = (showId: string, name = 'quality.json', status = 200) => {
      const call = { caller: 'RecordUsage', name: `s3 PutObject shows/…/${name}`, path: `/shows/${showId}/${name}` }
      return { at: 0, line: '', call: { ...call, status } }
    }
    const twice = [written('a-show'), written('a-show')]
    const failed = { caller: 'RecordUsage', operation: 's3 PutObject', kind: 'lost after', at: 0 } as const
    expect(check([], { trace: twice })).toEqual(['the report /shows/a-show/quality.json was written again'])
    expect(check([], { trace: twice, failedCalls: [failed] })).toEqual([])
    expect(check([], { trace: [written('a-show'), written('b-show')] })).toEqual([])
    expect(check([], { trace: [written('a-show'), written('a-show', 'quality.json', 412)] })).toEqual([])
    expect(check([], { trace: [written('a-show', 'usage.json'), written('a-show', 'usage.json')] })).toEqual([])
  })

  it('finds a meeting that is listed twice', () => {
    expect(check([record({ meetings: ['m', 'n', 'm'] })])).toEqual(['usage/2030-01-01.json lists a meeting twice'])
  })

  it('finds a show without a record, unless it is early, a fault delays it, or there are no Insights', () => {
    const objects = new Map()
    expect(check([record()], { objects })).toEqual(['the usage of the show a-show is not recorded'])
    expect(check([record()], { objects, now: 2 * DAY })).toEqual([])
    expect(check([record()], { objects, trace: [faultAt(4 * DAY - 1_000)] })).toEqual([])
    expect(check([], { objects })).toHaveLength(1)
    expect(check([], { objects, hasInsights: false })).toEqual([])
  })
})
