import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { finalStops } from '../../../../../local/simulation/invariants/ends/final-stops.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { showWith } from '../made-up-evidence.ts'

const line = (words: string): TraceEntry => ({ at: 0, line: `    0.000 ${words}`, show: 'a-show' })
const call = (caller: string, name: string, status = 200): TraceEntry => ({
  ...line(''),
  call: { caller, name, status },
})
const stop = call('app', 'api POST /shows/a-show/stop')
const invoked = line('cloud -> StartRecording invoked')
const start = call('StartRecording', 'platform startArchive')
const over = line('StartRecording -> cloud done')
const judge = (trace: TraceEntry[], failedCalls: FailedCall[] = []) =>
  finalStops({ shows: [showWith()], trace, failedCalls })

describe('finalStops', () => {
  it('finds a start by a function that is invoked after the stop was answered', () => {
    expect(judge([stop, invoked, start, over])).toEqual([
      'StartRecording called platform startArchive for the show a-show, whose stop was answered before',
    ])
  })

  it('finds a start under way that its function does not stop again', () => {
    const undo = call('StartRecording', 'platform stopArchive')
    expect(judge([invoked, stop, start, over])).toHaveLength(1)
    expect(judge([invoked, stop, start, undo, over])).toEqual([])
    expect(judge([invoked, stop, start, line('StartRecording -> cloud ShowStoppedError')])).toEqual([])
  })

  it('accepts a start before the answer, one that is refused, and one before a stop that is not noted', () => {
    expect(judge([invoked, start, stop, over])).toEqual([])
    expect(judge([stop, invoked, call('StartRecording', 'platform startArchive', 409), over])).toEqual([])
    expect(judge([{ ...stop, call: { ...stop.call, status: 202 } as never }, invoked, start, over])).toEqual([])
  })

  it('excuses a start that the platform received late', () => {
    const fault = { caller: 'StartRecording', operation: 'platform startArchive', kind: 'delayed', at: 0 } as const
    expect(judge([stop, invoked, start, over], [fault])).toEqual([])
  })
})
