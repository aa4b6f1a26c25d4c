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
/** Returns a request to pause the recording `program`, or to control another output. */
const control = (at: number, rest = 'recordings/program/pause', more: Partial<AnsweredRequest> = {}) =>
  asked(at, { path: `/shows/a-show/${rest}`, ...more })

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

  it('finds a key that was used for one output and answers a control of another as done', () => {
    const problem = 'the key one was used for another control, and answers /shows/a-show/recordings/guest/pause as done'
    const reused = [control(0), control(50, 'recordings/guest/pause')]
    expect(judge(reused)).toEqual([problem])
    expect(judge([control(0), control(50, 'broadcasts/live/stop')])).toHaveLength(1)
    expect(judge([asked(0), ...reused, asked(100)])).toEqual([problem, expect.stringContaining('carried out again')])
  })

  it('accepts another key, a refused control, and the key of one that was not done', () => {
    const other = 'recordings/guest/pause'
    expect(judge([control(0), control(50, other, { key: 'two' })])).toEqual([])
    expect(judge([control(0), control(50, other, { status: 409 })])).toEqual([])
    expect(judge([control(0, undefined, { status: 409 }), control(50, other)])).toEqual([])
    expect(judge([control(0), control(5, other)])).toEqual([])
  })

  it('accepts the key of the same control, of one of another show, and of one that has no output', () => {
    expect(judge([control(0), control(50)])).toEqual([])
    expect(judge([control(0), control(50, undefined, { path: '/shows/b-show/recordings/program/pause' })])).toEqual([])
    expect(judge([asked(0), control(50)])).toEqual([])
  })

  it('does not judge requests at the same time', () => {
    expect(judge([asked(0), asked(100), asked(105, { key: 'two' })])).toEqual([])
  })
})
