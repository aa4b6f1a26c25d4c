import { describe, expect, it } from 'vitest'
import { refusedEvents } from '../../../../../local/simulation/invariants/callbacks/refused-events.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'

const line = (words: string): TraceEntry => ({ at: 0, line: `    0.000 ${words}` })
const post = (status: number, outcome = 'done'): TraceEntry[] => [
  line('cloud -> NotifyOwner invoked'),
  { ...line(''), show: 'a-show', call: { caller: 'NotifyOwner', name: 'app POST /events', status } },
  line(`NotifyOwner -> cloud ${outcome}`),
]
const notified = (status: 'FAILED' | 'SUCCEEDED') => ({
  machine: 'notify',
  status,
  input: JSON.stringify({ detail: { showId: 'a-show' } }),
})

describe('refusedEvents', () => {
  it('finds an event that an app refused, and no execution that failed', () => {
    expect(
      refusedEvents({ trace: [...post(404), ...post(302)], executions: [notified('FAILED'), notified('SUCCEEDED')] }),
    ).toEqual(['the app refused 2 events of the show a-show, and 1 executions of notify failed'])
  })

  it('accepts a failed execution, one that posts twice, events that are sent again, and an app that wants no more', () => {
    expect(refusedEvents({ trace: post(404), executions: [notified('FAILED')] })).toEqual([])
    const executions = [notified('SUCCEEDED')]
    for (const status of [204, 410, 429, 500]) expect(refusedEvents({ trace: post(status), executions })).toEqual([])
    expect(refusedEvents({ trace: post(404, 'Sandbox.Timedout'), executions })).toEqual([])
    expect(refusedEvents({ trace: [...post(302), ...post(302)], executions: [notified('FAILED')] })).toEqual([])
    const lost = { ...line('fault: cloud -> lambda NotifyOwner timed out after'), fault: 'timed out after' }
    expect(refusedEvents({ trace: [lost, ...post(404)], executions })).toEqual([])
  })
})
