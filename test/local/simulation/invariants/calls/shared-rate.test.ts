import { describe, expect, it } from 'vitest'
import { limitedCallsIn } from '../../../../../local/simulation/invariants/calls/limited-calls.ts'
import { sharedRate } from '../../../../../local/simulation/invariants/calls/shared-rate.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'

const BUCKET = 's3 PutObject rate-limit.json'

/** A call of a function at a time in milliseconds. */
const call = (caller: string, at: number, name = 'platform listArchives', status = 200): TraceEntry => ({
  ...{ at, line: '' },
  call: { caller, name, status },
})
/** Makes a function meet an answer 429 at the beginning, after which it uses the bucket. */
const limited = (caller: string): TraceEntry[] => [
  { at: 0, line: '', refused: { caller, name: 'platform listArchives', status: 429 } },
  call(caller, 0, BUCKET),
]
const each = (caller: string, ...times: readonly number[]) => times.map((at) => call(caller, at))

describe('sharedRate', () => {
  const judge = (...trace: TraceEntry[]) => sharedRate({ trace, callsPerSecond: 2 })

  it('finds more calls in a second than functions share', () => {
    const trace = [...limited('A'), ...limited('B'), ...each('A', 500, 1_000), ...each('B', 1_400)]
    expect(judge(...trace)).toEqual([
      '3 calls were made in the second after 1970-01-01T00:00:00.500Z, and the platform throttles',
    ])
  })

  it('accepts calls at the rate, and those of a function that has met no answer 429', () => {
    expect(judge(...limited('A'), ...limited('B'), ...each('A', 500, 1_000), ...each('B', 1_500, 2_000))).toEqual([])
    expect(judge(...limited('A'), ...each('A', 500, 1_000), ...each('C', 1_000, 1_001, 1_002))).toEqual([])
  })

  it('accepts tokens that each function has kept', () => {
    const trace = [...limited('A'), ...limited('B'), ...each('A', ...Array(35).fill(500)), ...each('B', 501, 502)]
    expect(sharedRate({ trace, callsPerSecond: 40 })).toEqual([])
    expect(sharedRate({ trace, callsPerSecond: 30 })).toHaveLength(1)
  })
})

describe('limitedCallsIn', () => {
  it('lists calls from the answer 429 until the limit may have ended', () => {
    const calls = limitedCallsIn([...each('A', 0), ...limited('A'), ...each('A', 0, 1, 44_999, 45_000)])
    expect(calls.map(({ at }) => at)).toEqual([1, 44_999])
  })

  it('lists none while the bucket fails', () => {
    const lost = { at: 1, line: `0.001 fault: A -> ${BUCKET} lost after`, fault: 'lost after' }
    expect(limitedCallsIn([...limited('A'), lost, ...each('A', 2)])).toEqual([])
    expect(limitedCallsIn([...limited('A'), call('A', 1, BUCKET, 412), ...each('A', 2)])).toEqual([])
    expect(limitedCallsIn([...limited('A'), { ...lost, line: lost.line.replace('A', 'B') }, ...each('A', 2)])).toEqual([
      { caller: 'A', at: 2 },
    ])
  })
})
