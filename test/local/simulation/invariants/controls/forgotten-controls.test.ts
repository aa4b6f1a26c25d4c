import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { forgottenControls } from '../../../../../local/simulation/invariants/controls/forgotten-controls.ts'
import { showWith, watchFaultAt } from '../made-up-evidence.ts'

const failed = { id: 'c', at: '1970-01-01T00:01:00.000Z', done: false }
const judge = (control: object, call?: Partial<FailedCall>) =>
  forgottenControls({
    shows: [showWith({ state: { controls: [control] } as never })],
    failedCalls: call === undefined ? [] : [{ ...watchFaultAt(0, 'Api'), ...call }],
  })

describe('forgottenControls', () => {
  it('accepts controls that were carried out, or that the show continues', () => {
    expect(judge({ ...failed, done: true })).toEqual([])
    expect(judge({ ...failed, pending: {} })).toEqual([])
  })

  it('finds a failed control that is kept, unless a fault of the API or its records explains it', () => {
    const problem = ['the show a-show keeps the control c of 1970-01-01T00:01:00.000Z, which failed']
    expect(judge(failed)).toEqual(problem)
    expect(judge(failed, { operation: 'platform dial', kind: '500' })).toEqual(problem)
    expect(judge(failed, { operation: 's3 PutObject shows/a-show/state.json', kind: '500' })).toEqual([])
    expect(judge(failed, { operation: 'platform dial', kind: 'killed after' })).toEqual([])
    expect(judge(failed, { caller: 'cloud', operation: 'lambda Api', kind: 'crashed before' })).toEqual([])
  })
})
