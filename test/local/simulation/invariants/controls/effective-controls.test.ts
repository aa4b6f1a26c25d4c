import { describe, expect, it } from 'vitest'
import { effectiveControls } from '../../../../../local/simulation/invariants/controls/effective-controls.ts'
import { asked, watchFaultAt } from '../made-up-evidence.ts'

const called = (name: string, at = 5) => ({ at, line: '', call: { caller: 'Api', name, status: 204 } })
const judge = (body: object, names: readonly string[], failedCalls = [watchFaultAt(5)]) =>
  effectiveControls({
    apiRequests: [asked(0, { body: JSON.stringify(body) })],
    trace: names.map((name) => called(name)),
    failedCalls,
    shows: [],
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

  it('finds a dial-in that was closed and has not ended', () => {
    const closing = (connectionId: string, timeline: readonly object[]) => {
      const dialIns = [{ name: 'menu', connectionId: 'c-1' }]
      return effectiveControls({
        apiRequests: [asked(0, { path: '/shows/a-show/disconnect', body: JSON.stringify({ connectionId }) })],
        trace: [called('platform forceDisconnect')],
        failedCalls: [],
        shows: [{ showId: 'a-show', state: { dialIns, timeline } }] as never,
      })
    }
    const ended = { what: 'dialIn.ended', name: 'menu', at: new Date(0).toISOString() }
    expect(closing('c-1', [ended])).toEqual([])
    expect(closing('c-2', [])).toEqual([])
    expect(closing('c-1', [{ ...ended, name: 'other' }])).toEqual([
      'the dial-in menu of a-show was closed, and has not ended',
    ])
  })
})
