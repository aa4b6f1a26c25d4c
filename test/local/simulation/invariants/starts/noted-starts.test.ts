import { describe, expect, it } from 'vitest'
import type { ShowState } from '../../../../../lib/show/state/state.ts'
import { notedStarts } from '../../../../../local/simulation/invariants/starts/noted-starts.ts'
import { showWith } from '../made-up-evidence.ts'

const at = (ms: number) => new Date(ms).toISOString()
const judge = (state: Partial<ShowState>, status = 'succeeded') =>
  notedStarts({ shows: [showWith({ state: { closings: 0, ...state }, result: { status } })] })

describe('notedStarts', () => {
  it('finds a start that is not noted, and one at another time', () => {
    expect(judge({})).toEqual([`the show a-show started at ${at(0)}, and at no time by its state`])
    expect(judge({ startedAt: at(60_000) })).toHaveLength(1)
  })

  it('accepts a noted start, and shows that were closed or stopped before', () => {
    expect(judge({ startedAt: at(0) })).toEqual([])
    expect(judge({ closings: 1 })).toEqual([])
    expect(judge({}, 'stopped')).toEqual([])
  })
})
