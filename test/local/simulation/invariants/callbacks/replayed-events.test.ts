import { describe, expect, it } from 'vitest'
import { replayedEvents } from '../../../../../local/simulation/invariants/callbacks/replayed-events.ts'
import { visited } from '../visits/visited.ts'

const deliveryId = 'a'.repeat(32)
const visits = [
  visited('/shows/a/deliveries?limit=500', { items: [{ deliveryId, event: { id: 'a/show.ended' } }] }),
  visited(`/shows/a/deliveries/${deliveryId}/replay`, {}, { method: 'POST', status: 202, at: 10 }),
]
const received = (at: number, id = 'a/show.ended') => ({ at, url: 'u', headers: {}, body: JSON.stringify({ id }) })

describe('replayedEvents', () => {
  it('accepts an event that the app received again, or refused', () => {
    expect(replayedEvents({ visits, callbacks: [received(10)], trace: [] })).toEqual([])
    const call = { caller: 'NotifyOwner', name: 'app POST /events', status: 500 }
    expect(replayedEvents({ visits, callbacks: [], trace: [{ at: 11, line: '', call }] })).toEqual([])
  })

  it('finds an event that did not arrive again', () => {
    const problem = ['the event a/show.ended was replayed, and the app did not receive it']
    expect(replayedEvents({ visits, callbacks: [received(9)], trace: [] })).toEqual(problem)
    expect(replayedEvents({ visits, callbacks: [received(10, 'a/other')], trace: [] })).toEqual(problem)
  })
})
