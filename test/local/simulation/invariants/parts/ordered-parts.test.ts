import { describe, expect, it } from 'vitest'
import { orderedParts } from '../../../../../local/simulation/invariants/parts/ordered-parts.ts'
import { change, faultAt, showWith, watchFaultAt } from '../made-up-evidence.ts'

const second = { id: 'two', tag: 'a-show/program/2' }
const judge = (request: object, { kind = 'archive', stopAskedAt = '', failedCalls = [watchFaultAt(0)] } = {}) =>
  orderedParts({
    shows: [
      showWith({
        request,
        state: { broadcasts: [{ name: 'program', part: 1, ...(stopAskedAt && { stopAskedAt }) }] } as never,
      }),
    ],
    statusChanges: [change(100_000, { ...second, kind: kind as 'archive' | 'broadcast' })],
    trace: [],
    failedCalls,
  })

describe('orderedParts', () => {
  it('finds further parts of what was ordered in one', () => {
    const order = { name: 'program', parts: true }
    expect(judge({ recordings: [order] })).toEqual([])
    expect(judge({ recordings: [{ name: 'program' }] })).toEqual([
      'program is recorded in part 2, and was ordered in one',
    ])
    expect(judge({ broadcasts: [order] }, { kind: 'broadcast' })).toEqual([])
    expect(judge({ broadcasts: [{ name: 'program' }] }, { kind: 'broadcast' })).toEqual([
      'program is broadcast in part 2, and was ordered in one',
    ])
  })

  it('finds a part of a broadcast that begins long after it was asked to stop, unless a fault delayed it', () => {
    const broadcasts = [{ name: 'program', parts: true }]
    const stopped = { kind: 'broadcast', stopAskedAt: new Date(10_000).toISOString() }
    expect(judge({ broadcasts }, stopped)).toEqual(['part 2 of program began after it was asked to stop'])
    expect(judge({ broadcasts }, { ...stopped, stopAskedAt: new Date(50_000).toISOString() })).toEqual([])
    expect(judge({ broadcasts }, { ...stopped, failedCalls: [watchFaultAt(20_000)] })).toEqual([])
  })

  describe('of a broadcast that ends after the default of the platform', () => {
    const problem = ['part 1 of live ended at the default of the platform']

    /** Judges a broadcast that ran for some seconds, of which the show or a request has the order. */
    const ran = (
      seconds: number,
      order: object = {},
      { status = 'stopped', isAdded = false, trace = [faultAt(0)] } = {},
    ) => {
      const live = { kind: 'broadcast', tag: 'a-show/live/1', name: 'live' } as const
      const ordered = { name: 'live', ...order }
      return orderedParts({
        shows: [
          showWith({
            request: { broadcasts: isAdded ? [] : [ordered] },
            state: { broadcasts: [{ name: 'live', part: 1, ...(isAdded && { order: ordered }) }] } as never,
          }),
        ],
        statusChanges: [change(0, live), change(seconds * 1000, { ...live, status })],
        ...{ trace, failedCalls: [] },
      })
    }

    it('accepts one that was stopped', () => {
      const call = { caller: 'StopShow', name: 'platform stopBroadcast', status: 200, path: '/broadcast/one/stop' }
      expect(ran(14_400, {}, { trace: [{ at: 14_400_000, line: '', call } as never] })).toEqual([])
    })

    it('finds one without an ordered maximum', () => {
      expect(ran(14_400)).toEqual(problem)
      expect(ran(14_404)).toEqual(problem)
      expect(ran(14_400, {}, { isAdded: true })).toEqual(problem)
    })

    it('accepts one with this maximum, one that runs shorter or longer, and one that fails', () => {
      expect(ran(14_400, { maxDuration: 14_400 })).toEqual([])
      expect(ran(14_400, { maxDuration: 14_400 }, { isAdded: true })).toEqual([])
      expect(ran(14_395)).toEqual([])
      expect(ran(14_405)).toEqual([])
      expect(ran(14_400, {}, { status: 'failed' })).toEqual([])
    })
  })
})
