import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { overlappingParts } from '../../../../../local/simulation/invariants/parts/overlapping-parts.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const HOUR = 3_600_000
const state = { liveAt: new Date(0).toISOString(), endedAt: new Date(3 * HOUR).toISOString(), pauses: [] }
const shows = [showWith({ state })]
const judge = (statusChanges: ReturnType<typeof change>[], failedCalls: FailedCall[] = []) =>
  overlappingParts({ shows, statusChanges, trace: [], failedCalls })
const nextAt = (at: number, part = 2) => change(at, { id: `part ${part}`, tag: `a-show/program/${part}` })
/** A part that begins after an hour, and the seconds for which the first part runs on. */
const overlapOf = (seconds: number) => [change(0), nextAt(HOUR), change(HOUR + seconds * 1_000, { status: 'stopped' })]

describe('overlappingParts', () => {
  it('finds parts that overlap too shortly, or too long', () => {
    expect(judge(overlapOf(3))).toEqual(['part 2 of program had an overlap of 3 s'])
    expect(judge(overlapOf(118)).join()).toContain('an overlap of 118 s, before the part')
  })

  it('accepts that a stray is stopped at once', () => {
    const stray = { id: 'a stray', tag: 'a-show/program/1' }
    const changes = [
      ...overlapOf(12),
      change(HOUR + 1_000, stray),
      change(HOUR + 2_000, { ...stray, status: 'stopped' }),
    ]
    const judgeWith = (strays: readonly { readonly archiveId: string }[]) =>
      overlappingParts({
        ...{ statusChanges: changes, trace: [], failedCalls: [] },
        shows: [showWith({ state, result: { strays } })],
      })
    expect(judgeWith([{ archiveId: 'a stray' }])).toEqual([])
    expect(judgeWith([])).toEqual(['part 2 of program had an overlap of 2 s'])
  })

  it('accepts the overlap that is documented, and excuses a late stop by a fault of the watching', () => {
    expect(judge(overlapOf(12))).toEqual([])
    expect(judge(overlapOf(60))).toEqual([])
    expect(judge(overlapOf(118), [watchFaultAt(HOUR)])).toEqual([])
    expect(judge(overlapOf(118), [watchFaultAt(HOUR, 'SweepShows')])).toHaveLength(1)
  })

  it('finds a part that is stopped for a next part that has failed', () => {
    const failed = [...overlapOf(12), change(HOUR + 2_000, { id: 'part 2', status: 'failed' })]
    expect(judge(failed)).toEqual(['part 1 of program was stopped although the next part had failed'])
    expect(judge(failed, [watchFaultAt(HOUR + 5_000, 'RollOver')])).toEqual([])
    expect(judge(failed, [watchFaultAt(HOUR, 'RollOver')])).toHaveLength(1)
    const longer = [...overlapOf(27), change(HOUR + 2_000, { id: 'part 2', status: 'failed' })]
    expect(judge([...longer, nextAt(HOUR + 15_000, 3)])).toEqual([])
    expect(judge([...longer, nextAt(HOUR + 25_000, 3)])).toHaveLength(1)
    expect(judge([...overlapOf(12), change(HOUR + 11_000, { id: 'part 2', status: 'failed' })])).toEqual([])
  })

  it('finds parts that follow failed ones without the pauses between them', () => {
    const failedAt = (part: number, from: number) => [
      part === 1 ? change(from) : nextAt(from, part),
      change(from + 1_000, { ...(part > 1 && { id: `part ${part}` }), status: 'failed' }),
    ]
    const failed = [...failedAt(1, 0), ...failedAt(2, 5_000)]
    expect(judge([...failed, nextAt(14_000, 3)])).toEqual([
      'part 3 of program began 9 s after the start of the failed part before, and not 15 s',
    ])
    expect(judge([...failed, nextAt(20_000, 3)])).toEqual([])
    const stray = change(6_000, { id: 'a stray', tag: 'a-show/program/2' })
    expect(judge([...failed, stray, nextAt(20_000, 3)])).toEqual([])
  })
})
