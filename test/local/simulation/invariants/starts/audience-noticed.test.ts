import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { audienceNoticed } from '../../../../../local/simulation/invariants/starts/audience-noticed.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { showWith } from '../made-up-evidence.ts'

const MINUTE = 60_000
const poll: TraceEntry = { at: 0, line: '    0.000 cloud -> CheckAudience invoked', show: 'a-show' }
const callOf = (caller: string, name: string, at: number): TraceEntry => ({
  ...{ at, line: '' },
  call: { caller, name: `platform ${name}`, status: 201, path: '/sandbox/sessions/session/participants' },
})
const publishers = new Set(['Ada'])

interface Judged {
  /** Minutes. */
  readonly joins?: number
  readonly leaves?: number
  readonly present?: number
  readonly ended?: number
  readonly who?: string
  readonly scenes?: readonly object[]
  readonly failedCalls?: FailedCall[]
}

const judge = ({ joins = 1, leaves, present, ended = 15, who = 'Ada', scenes = [], failedCalls = [] }: Judged) => {
  const trace = [
    poll,
    callOf(who, 'joinSession', joins * MINUTE),
    ...(leaves === undefined ? [] : [callOf(who, 'leaveSession', leaves * MINUTE)]),
  ]
  const at = (minutes: number) => new Date(minutes * MINUTE).toISOString()
  const timeline = present === undefined ? [] : [{ what: 'audience.present', at: at(present) }]
  const state = { sessionId: 'session', scenes, dialIns: [], endedAt: at(ended), timeline }
  const shows = [showWith({ state: state as never, result: { reportedAt: at(ended) } })]
  return audienceNoticed({ shows, trace, failedCalls, publishers })
}

describe('audienceNoticed', () => {
  it('finds a participant who is noticed late, or not at all', () => {
    expect(judge({ present: 3 })).toEqual(['the show a-show noticed Ada, who was present, after 120 s'])
    expect(judge({})).toEqual(['the show a-show noticed Ada, who was present, after 840 s'])
  })

  it('accepts one who is noticed within a minute, and one who leaves', () => {
    expect(judge({ present: 1.5 })).toEqual([])
    expect(judge({ leaves: 1.5 })).toEqual([])
  })

  it('accepts that a show with scenes waits for one who publishes', () => {
    expect(judge({ who: 'Grace' })).toHaveLength(1)
    expect(judge({ who: 'Grace', scenes: [{}] })).toEqual([])
    expect(judge({ scenes: [{}] })).toHaveLength(1)
  })

  it('excuses a fault of the polls', () => {
    const fault = { caller: 'CheckAudience', operation: 'platform listStreams', kind: '500', at: MINUTE } as const
    expect(judge({ failedCalls: [fault] })).toEqual([])
    expect(judge({ failedCalls: [{ ...fault, caller: 'SweepShows' }] })).toHaveLength(1)
  })
})
