import { describe, expect, it } from 'vitest'
import { goneOwners } from '../../../../../local/simulation/invariants/callbacks/gone-owners.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { visited } from '../visits/visited.ts'

const line = (words: string): TraceEntry => ({ at: 0, line: `    0.000 ${words}` })
const post = (status: number, { caller = 'NotifyOwner', show = 'a-show', outcome = 'done' } = {}): TraceEntry[] => [
  line(`cloud -> ${caller} invoked`),
  { ...line(''), show, call: { caller, name: 'app POST /events', status } },
  line(`${caller} -> cloud ${outcome}`),
]

describe('goneOwners', () => {
  it('finds an event that an app gets after it has answered that it wants no more', () => {
    expect(goneOwners({ visits: [], trace: [...post(410), ...post(204, { caller: 'NotifyOwner/2' })] })).toEqual([
      'the app got an event of the show a-show at 1970-01-01T00:00:00.000Z, and wanted no more',
    ])
  })

  it('accepts events of other shows, those that were under way, and those after an attempt that was not noted', () => {
    expect(goneOwners({ visits: [], trace: [...post(410), ...post(204, { show: 'another' })] })).toEqual([])
    const [begin, called, end] = post(204, { caller: 'NotifyOwner/2' }) as [TraceEntry, TraceEntry, TraceEntry]
    expect(goneOwners({ visits: [], trace: [begin, ...post(410), called, end] })).toEqual([])
    expect(goneOwners({ visits: [], trace: [...post(410, { outcome: 'Sandbox.Timedout' }), ...post(410)] })).toEqual([])
  })

  it('accepts an event after an operator replays one of its show', () => {
    const judge = (more: object = {}, show = 'a-show') => {
      const replay = visited(`/shows/${show}/deliveries/d/replay`, {}, { method: 'POST', status: 202, ...more })
      return goneOwners({ visits: [replay], trace: [...post(410), ...post(204)] })
    }
    expect(judge()).toEqual([])
    const problem = ['the app got an event of the show a-show at 1970-01-01T00:00:00.000Z, and wanted no more']
    expect(judge({ status: 409 })).toEqual(problem)
    expect(judge({ at: 1 })).toEqual(problem)
    expect(judge({}, 'another')).toEqual(problem)
  })
})
