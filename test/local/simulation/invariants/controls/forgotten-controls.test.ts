import { describe, expect, it } from 'vitest'
import { forgottenControls } from '../../../../../local/simulation/invariants/controls/forgotten-controls.ts'
import { showWith } from '../made-up-evidence.ts'

const failed = { id: 'c', at: '1970-01-01T00:01:00.000Z', done: false }
const judge = (control: object, line?: string) =>
  forgottenControls({
    shows: [showWith({ state: { controls: [control] } as never })],
    trace: line === undefined ? [] : [{ at: 0, line, fault: '500' }],
  })

describe('forgottenControls', () => {
  it('accepts controls that were carried out, or that the show continues', () => {
    expect(judge({ ...failed, done: true })).toEqual([])
    expect(judge({ ...failed, pending: {} })).toEqual([])
  })

  it('finds a failed control that is kept, unless a fault of the API or its records explains it', () => {
    const problem = ['the show a-show keeps the control c of 1970-01-01T00:01:00.000Z, which failed']
    expect(judge(failed)).toEqual(problem)
    expect(judge(failed, 'Api -> platform dial -> 500')).toEqual(problem)
    expect(judge(failed, 'Api -> s3 PutObject shows/a-show/state.json -> 500')).toEqual([])
    expect(judge(failed, 'fault: Api -> platform dial killed after')).toEqual([])
  })
})
