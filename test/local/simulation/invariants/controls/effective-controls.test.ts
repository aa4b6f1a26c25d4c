import { describe, expect, it } from 'vitest'
import { effectiveControls } from '../../../../../local/simulation/invariants/controls/effective-controls.ts'
import { asked, watchFaultAt } from '../made-up-evidence.ts'

const called = (name: string, at = 5) => ({ at, line: '', call: { caller: 'Api', name, status: 204 } })
const judge = (body: object, names: readonly string[], failedCalls = [watchFaultAt(5)]) =>
  effectiveControls({
    apiRequests: [asked(0, { body: JSON.stringify(body) })],
    trace: names.map((name) => called(name)),
    failedCalls,
  })

describe('effectiveControls', () => {
  it('finds a control that is answered as done without its call', () => {
    expect(judge({}, [])).toEqual([
      'POST /shows/a-show/signals was answered as done without a call of platform signalSession',
    ])
    expect(judge({ connectionId: 'c' }, ['platform signalSession'])).toHaveLength(1)
  })

  it('accepts one with its call, and one that a fault of the API has met', () => {
    expect(judge({}, ['platform signalSession'])).toEqual([])
    expect(judge({ connectionId: 'c' }, ['platform signalConnection'])).toEqual([])
    expect(judge({}, [], [watchFaultAt(5, 'Api')])).toEqual([])
  })
})
