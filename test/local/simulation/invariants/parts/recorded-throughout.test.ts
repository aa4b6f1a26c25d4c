import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { recordedThroughout } from '../../../../../local/simulation/invariants/parts/recorded-throughout.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const MINUTE = 60_000
const at = (minutes: number) => new Date(minutes * MINUTE).toISOString()
/** The first part ends after an hour of a show of three. */
const END = 60

interface Judged {
  /** Minute at which the second part begins. @default none does */
  readonly next?: number
  readonly status?: 'stopped' | 'failed'
  readonly reason?: string
  readonly order?: object
  /** True if a broadcast runs until the end. @default true */
  readonly isBroadcast?: boolean
  readonly failedCalls?: FailedCall[]
  readonly trace?: TraceEntry[]
}

const judge = (judged: Judged) => {
  const { next, status = 'stopped', reason = 'maximum duration exceeded', isBroadcast = true } = judged
  const part = { name: 'program', part: 1, archiveId: 'one', reason }
  const show = showWith({
    request: { recordings: [{ name: 'program', ...judged.order }] },
    state: { sessionId: 'session', liveAt: at(0), endedAt: at(180), recordings: [part] as never, pauses: [] },
    result: { recordings: [part] },
  })
  const statusChanges = [
    change(0),
    ...(isBroadcast ? [change(0, { kind: 'broadcast', id: 'live', tag: 'a-show/live/1' })] : []),
    change(END * MINUTE, { status }),
    ...(next === undefined ? [] : [change(next * MINUTE, { id: 'two', tag: 'a-show/program/2' })]),
  ]
  return recordedThroughout({
    shows: [show],
    statusChanges,
    trace: judged.trace ?? [],
    failedCalls: judged.failedCalls ?? [],
  })
}

describe('recordedThroughout', () => {
  it('finds a recording that is not continued, and one that is continued late', () => {
    expect(judge({})).toEqual(['nothing of program was recorded for 7200 s after part 1, at 1970-01-01T01:00:00.000Z'])
    expect(judge({ next: END + 5 })).toHaveLength(1)
    expect(judge({ status: 'failed', reason: 'failure' })).toHaveLength(1)
  })

  it('accepts a next part within two minutes, and no next part of a recording without parts', () => {
    expect(judge({ next: END - 2 })).toEqual([])
    expect(judge({ next: END + 1.5, status: 'failed', reason: 'failure' })).toEqual([])
    expect(judge({ order: { parts: false } })).toEqual([])
  })

  it('accepts what a pause, a session without participants, and a stop by another caller leave out', () => {
    expect(judge({ order: { pauses: [{ from: END * 60, to: END * 60 + 600 }] }, next: END + 10 })).toEqual([])
    expect(judge({ isBroadcast: false })).toEqual([])
    const path = '/sandbox/sessions/session/participants'
    const joined = {
      ...{ at: 0, line: '' },
      call: { caller: 'Ada', name: 'platform joinSession', status: 201, path },
    }
    const left = (minutes: number) => ({
      ...{ at: minutes * MINUTE, line: '' },
      call: { caller: 'Ada', name: 'platform leaveSession', status: 204, path },
    })
    expect(judge({ isBroadcast: false, trace: [joined] })).toHaveLength(1)
    expect(judge({ isBroadcast: false, trace: [joined, left(END + 1)] })).toEqual([])
    expect(judge({ reason: 'session ended' })).toEqual([])
    expect(judge({ reason: 'user initiated' })).toEqual([])
  })

  it('excuses the next part for twenty minutes after a fault, and after each of several', () => {
    const [first, second] = [watchFaultAt((END - 10) * MINUTE), watchFaultAt((END + 9) * MINUTE)]
    expect(judge({ next: END + 25, failedCalls: [first] })).toHaveLength(1)
    expect(judge({ next: END + 25, failedCalls: [first, second] })).toEqual([])
    expect(judge({ failedCalls: [first, second] })).toHaveLength(1)
  })

  it('excuses a fault of the watching, and no other', () => {
    expect(judge({ next: END + 8, failedCalls: [watchFaultAt((END - 10) * MINUTE)] })).toEqual([])
    expect(judge({ next: END + 8, failedCalls: [watchFaultAt((END - 10) * MINUTE, 'NotifyOwner')] })).toHaveLength(1)
  })
})
