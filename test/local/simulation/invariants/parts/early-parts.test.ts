import { describe, expect, it } from 'vitest'
import { earlyParts } from '../../../../../local/simulation/invariants/parts/early-parts.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const LIMIT = 14_400_000
const recordings = [1, 2].map((part) => ({ name: 'program', part, archiveId: part === 1 ? 'one' : 'two' }))
const shows = [showWith({ result: { recordings } })]
const second = (at: number) => change(at, { id: 'two', tag: 'a-show/program/2' })
const check = (
  nextAt: number,
  { ends = LIMIT, between = [] as ReturnType<typeof change>[], failedCalls = [watchFaultAt(0)] } = {},
) =>
  earlyParts({
    shows,
    statusChanges: [change(0), ...between, second(nextAt), change(ends, { status: 'stopped' })],
    trace: [],
    failedCalls,
  })

describe('earlyParts', () => {
  it('accepts a part that runs a minute before the limit', () => {
    expect(check(LIMIT - 60_000)).toEqual([])
  })

  it('finds one that starts two seconds before it', () => {
    expect(check(LIMIT - 2_000)).toEqual(['part 2 of program began 2 s before the platform’s limit of part 1'])
  })

  it('counts only the time that was recorded', () => {
    const between = [change(1_000_000, { status: 'paused' }), change(1_030_000)]
    expect(check(LIMIT - 32_000, { between })).toHaveLength(0)
    expect(check(LIMIT - 2_000, { between })).toHaveLength(1)
  })

  it('excuses a fault before the limit, a failed part, and one that ended earlier for another reason', () => {
    expect(check(LIMIT - 2_000, { failedCalls: [watchFaultAt(LIMIT - 600_000)] })).toEqual([])
    expect(check(LIMIT - 2_000, { failedCalls: [watchFaultAt(LIMIT - 600_000, 'NotifyOwner')] })).toHaveLength(1)
    expect(check(LIMIT - 2_000, { between: [change(5, { status: 'failed' })] })).toEqual([])
    expect(check(LIMIT - 2_000, { ends: 1_000_000 })).toEqual([])
  })

  it('expects no part before a pause that ends the previous one', () => {
    const order = { name: 'program', pauses: [{ from: LIMIT / 1000 - 30, to: LIMIT / 1000 + 600 }] }
    const state = { liveAt: new Date(change(0).at).toISOString() }
    const paused = showWith({ request: { recordings: [order] }, state, result: { recordings } })
    const statusChanges = [change(0), change(LIMIT - 30_000, { status: 'stopped' }), second(LIMIT + 600_000)]
    expect(earlyParts({ shows: [paused], statusChanges, trace: [], failedCalls: [] })).toEqual([])
    expect(earlyParts({ shows, statusChanges, trace: [], failedCalls: [] })).toHaveLength(1)
  })

  it('knows the shorter limit of a broadcast', () => {
    const broadcasts = [1, 2].map((part) => ({ name: 'live', part, broadcastId: part === 1 ? 'b' : 'c' }))
    const show = showWith({ request: { broadcasts: [{ name: 'live', maxDuration: 240 }] }, result: { broadcasts } })
    const startsAt = (at: number) => [
      change(0, { kind: 'broadcast', id: 'b' }),
      change(at, { kind: 'broadcast', id: 'c' }),
    ]
    expect(earlyParts({ shows: [show], statusChanges: startsAt(210_000), trace: [], failedCalls: [] })).toEqual([])
    expect(earlyParts({ shows: [show], statusChanges: startsAt(238_000), trace: [], failedCalls: [] })).toHaveLength(1)
  })
})
