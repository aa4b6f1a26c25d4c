import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { continuedBroadcasts } from '../../../../../local/simulation/invariants/parts/continued-broadcasts.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const order = { name: 'live', parts: true, maxDuration: 3_600 }

/** A broadcast whose first part begins with the show, and ends after some minutes. */
const part = (number: number, from: number, to?: number, status = 'stopped') => {
  const of = { kind: 'broadcast', id: `part ${number}`, tag: `a-show/live/${number}` } as const
  return [change(from, of), ...(to === undefined ? [] : [change(to, { ...of, status })])]
}

/** Judges a show of three hours, in which a recording shows that participants are connected. */
function judge(
  changes: readonly ReturnType<typeof change>[],
  {
    parts = true,
    stopAskedAt = undefined as string | undefined,
    failedCalls = [] as FailedCall[],
    recording = [change(0)],
    trace = [] as TraceEntry[],
  } = {},
) {
  const state = {
    ...{ liveAt: new Date(0).toISOString(), endedAt: new Date(3 * HOUR).toISOString() },
    broadcasts: [{ name: 'live', part: 1, stopAskedAt }],
  } as never
  const shows = [showWith({ state, request: { broadcasts: [{ ...order, parts }] } })]
  return continuedBroadcasts({ shows, statusChanges: [...recording, ...changes], trace, failedCalls })
}

describe('continuedBroadcasts', () => {
  it('accepts a next part, and none of a broadcast without parts or that was stopped', () => {
    expect(judge([...part(1, 0, HOUR), ...part(2, HOUR - MINUTE)])).toEqual([])
    expect(judge(part(1, 0, HOUR), { parts: false })).toEqual([])
    expect(judge(part(1, 0, HOUR), { stopAskedAt: new Date(HOUR).toISOString() })).toEqual([])
    expect(judge(part(1, 0, 2 * MINUTE), {})).toEqual([])
  })

  it.each([
    ['the limit', part(1, 0, HOUR), 'nothing of live was broadcast for 7200 s after part 1'],
    ['a failure', part(1, 0, MINUTE, 'failed'), 'nothing of live was broadcast for 10740 s after part 1'],
    [
      'the limit for ten minutes',
      [...part(1, 0, HOUR), ...part(2, HOUR + 10 * MINUTE)],
      'nothing of live was broadcast for 600 s after part 1',
    ],
  ])('finds one that does not continue after %s', (_, changes, problem) => {
    expect(judge(changes)).toEqual([problem])
  })

  it('excuses a fault of the watching, and a show without a connected participant', () => {
    const late = [...part(1, 0, HOUR), ...part(2, HOUR + 10 * MINUTE)]
    expect(judge(late, { failedCalls: [watchFaultAt(HOUR)] })).toEqual([])
    expect(judge(part(1, 0, HOUR), { recording: [] })).toEqual([])
  })

  it('excuses a broadcast that the platform denied to know', () => {
    const denying = (id: string) => {
      const refused = { caller: 'WatchShow', name: 'platform getBroadcast', status: 404, path: `/broadcast/${id}` }
      return [{ at: MINUTE, line: '', fault: '404', refused }]
    }
    const failed = part(1, 0, MINUTE, 'failed')
    expect(judge(failed, { trace: denying('part 1') })).toEqual([])
    expect(judge(failed, { trace: denying('part 2') })).toHaveLength(1)
  })
})
