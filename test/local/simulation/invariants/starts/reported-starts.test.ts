import { describe, expect, it } from 'vitest'
import type { ShowState } from '../../../../../lib/show/state/state.ts'
import { reportedStarts } from '../../../../../local/simulation/invariants/starts/reported-starts.ts'
import { showWith } from '../made-up-evidence.ts'

const at = '2030-01-01T00:00:00.000Z'
const judge = (timeline: Partial<ShowState['timeline'][number]>[], state: Partial<ShowState> = {}) =>
  reportedStarts({
    shows: [
      showWith({
        request: { broadcasts: [{ name: 'live' }] },
        state: { closings: 0, liveAt: at, timeline: timeline as ShowState['timeline'], ...state },
      }),
    ],
  })

describe('reportedStarts', () => {
  it('finds a broadcast that neither started nor failed', () => {
    expect(judge([{ what: 'recording.started', name: 'program', part: 1 }])).toEqual([
      'the show a-show was live, and reports no start of the broadcast live',
    ])
  })

  it('accepts starts and failures, and shows that were stopped or closed', () => {
    const failed = { what: 'broadcast.failed', name: 'live', part: 1 } as const
    expect(judge([{ what: 'recording.started', name: 'program', part: 1 }, failed])).toEqual([])
    expect(judge([], { stopAskedAt: at })).toEqual([])
    expect(judge([], { closings: 1 })).toEqual([])
  })
})
