import { describe, expect, it } from 'vitest'
import { relievedBroadcasts } from '../../../../../local/simulation/invariants/parts/relieved-broadcasts.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { change, faultAt, showWith } from '../made-up-evidence.ts'

const HOUR = 3_600_000
const joined: TraceEntry = {
  at: 0,
  line: '',
  call: { caller: 'Ada', name: 'platform joinSession', path: '/sessions/session', status: 200 },
}

/** Judges a broadcast whose second part begins after an hour. @param seconds how much longer the first part runs */
function judge(seconds: number, { trace = [joined], status = 'stopped' } = {}) {
  const of = (number: number) => ({ kind: 'broadcast', id: `part ${number}`, tag: `a-show/live/${number}` }) as const
  return relievedBroadcasts({
    shows: [showWith({ state: { sessionId: 'session' } as never })],
    statusChanges: [
      ...[change(0, of(1)), change(HOUR + seconds * 1000, { ...of(1), status: 'stopped' })],
      ...[change(HOUR, of(2)), change(2 * HOUR, { ...of(2), status })],
    ],
    trace,
  })
}

describe('relievedBroadcasts', () => {
  it('accepts parts that run together for a poll', () => {
    expect(judge(30)).toEqual([])
    expect(judge(-30)).toEqual([])
  })

  it('finds a part that runs on', () => {
    expect(judge(120)).toEqual(['part 1 of live ran on for 120 s after the next part began'])
  })

  it('accepts it after a fault, without an audience, and where the next part fails', () => {
    expect(judge(120, { trace: [joined, faultAt(1_000)] })).toEqual([])
    expect(judge(120, { trace: [] })).toEqual([])
    expect(judge(120, { status: 'failed' })).toEqual([])
  })
})
