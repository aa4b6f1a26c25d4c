import { describe, expect, it } from 'vitest'
import { shownPhases } from '../../../../../local/simulation/invariants/visits/shown-phases.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { PLAIN } from '../../../../../local/simulation/visits/visitor.ts'
import { change, faultAt, showWith } from '../made-up-evidence.ts'

const time = (seconds: number) => new Date(seconds * 1000).toISOString()

const judge = (
  seconds: number,
  shown: object,
  { page = false, broadcastEnds = 3_605, trace = [] as TraceEntry[] } = {},
) =>
  shownPhases({
    shows: [
      showWith({ state: { liveAt: time(0), endedAt: time(3_600) } as never, result: { reportedAt: time(4_000) } }),
    ],
    visits: [
      {
        ...{
          method: 'GET',
          address: page ? '/watch/show/a-show/state?signature=a' : '/shows/a-show',
          at: seconds * 1000,
        },
        ...{ status: 200, headers: {}, answer: JSON.stringify(shown), isAtRest: false, site: PLAIN },
      },
    ],
    statusChanges: [
      change(0, { kind: 'broadcast', id: 'live', tag: 'a-show/live/1', name: 'live' }),
      change(broadcastEnds * 1000, {
        kind: 'broadcast',
        id: 'live',
        tag: 'a-show/live/1',
        name: 'live',
        status: 'stopped',
      }),
    ],
    trace,
  })
const judgePage = (seconds: number, phase: string, more = {}) => judge(seconds, { phase }, { page: true, ...more })

describe('shownPhases', () => {
  it('accepts the status and phase of the time, and either one around a change', () => {
    expect(judge(1_000, { status: 'live' })).toEqual([])
    expect(judge(3_700, { status: 'ending' })).toEqual([])
    for (const status of ['live', 'ending']) expect(judge(3_601, { status })).toEqual([])
    expect(judgePage(1_000, 'live')).toEqual([])
    expect(judgePage(3_700, 'after')).toEqual([])
    expect(judgePage(3_700, 'live', { broadcastEnds: 3_900 })).toEqual([])
    for (const phase of ['live', 'after']) expect(judgePage(3_620, phase)).toEqual([])
  })

  it('finds another status or phase', () => {
    expect(judge(1_000, { status: 'starting' })).toEqual([
      'the show a-show is shown as starting, and was live at 1970-01-01T00:16:40.000Z',
    ])
    expect(judge(3_700, { status: 'live' })).toHaveLength(1)
    expect(judgePage(1_000, 'before')).toEqual([
      'the show a-show is in the phase before for viewers, and was live at 1970-01-01T00:16:40.000Z',
    ])
    expect(judgePage(3_700, 'live')).toHaveLength(1)
    expect(judgePage(3_700, 'after', { broadcastEnds: 3_900 })).toHaveLength(1)
  })

  it('judges nothing after a fault', () => {
    expect(judge(1_000, { status: 'starting' }, { trace: [faultAt(500_000)] })).toEqual([])
  })
})
