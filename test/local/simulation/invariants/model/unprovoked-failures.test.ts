import { describe, expect, it } from 'vitest'
import { unprovokedFailures } from '../../../../../local/simulation/invariants/model/unprovoked-failures.ts'

const judge = (outcome: string, { caller = 'RecordUsage/2', fault = -1 } = {}) =>
  unprovokedFailures({
    trace: [
      ...(fault < 0 ? [] : [{ at: fault * 1_000, line: 'fault: the project is suspended', fault: 'suspension' }]),
      { at: 1_000_000, line: `     1000.000 cloud -> ${caller} invoked` },
      { at: 1_000_000, line: `     1000.000 ${caller} -> cloud ${outcome}` },
    ],
  })

describe('unprovokedFailures', () => {
  it('finds a function on a schedule that fails although no fault struck', () => {
    expect(judge('done')).toEqual([])
    expect(judge('ServiceError')).toEqual([
      'RecordUsage/2 failed with ServiceError at 1970-01-01T00:16:40.000Z, and no fault struck',
    ])
  })

  it('finds a function that others call and that fails before any fault', () => {
    expect(judge('ServiceError', { caller: 'StopShow' })).toHaveLength(1)
    expect(judge('ServiceError', { caller: 'StopShow', fault: 50 })).toEqual([])
  })

  it('excuses a recent fault, damaged media, missing secrets and apps that do not answer', () => {
    expect(judge('ServiceError', { fault: 500 })).toEqual([])
    expect(judge('ServiceError', { fault: 50 })).toHaveLength(1)
    expect(judge('MediaError', { caller: 'InspectRecording' })).toEqual([])
    expect(judge('TaskConfigError', { caller: 'StartBroadcast' })).toEqual([])
    expect(judge('ServiceError', { caller: 'NotifyOwner/3' })).toEqual([])
  })
})
