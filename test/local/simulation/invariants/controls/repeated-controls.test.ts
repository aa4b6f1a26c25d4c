import { describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../../../local/simulation/environment/app/api-requests.ts'
import { repeatedControls } from '../../../../../local/simulation/invariants/controls/repeated-controls.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { asked } from '../made-up-evidence.ts'

const invocation = (at: number, name: string): TraceEntry[] => [
  { at, line: `    0.000 cloud -> Api invoked` },
  { at: at + 5, line: '', call: { caller: 'Api', name, status: 204 } },
  { at: at + 10, line: `    0.000 Api -> cloud done` },
]
const judge = (apiRequests: AnsweredRequest[], name = 'platform signalSession') =>
  repeatedControls({ apiRequests, trace: [...invocation(0, name), ...invocation(100, name)] })

describe('repeatedControls', () => {
  it('finds a control that is carried out again after it was answered as done', () => {
    expect(judge([asked(0), asked(100)])).toEqual([
      'the control one of /shows/a-show/signals was carried out again: platform signalSession',
    ])
  })

  it('accepts a repetition without an effect, another control, and one that was not done', () => {
    expect(judge([asked(0), asked(100)], 's3 GetObject shows/a-show/state.json')).toEqual([])
    expect(judge([asked(0), asked(100, { key: 'two' })])).toEqual([])
    expect(judge([asked(0, { status: 500 }), asked(100)])).toEqual([])
  })

  it('does not judge requests at the same time', () => {
    expect(judge([asked(0), asked(100), asked(105, { key: 'two' })])).toEqual([])
  })
})
