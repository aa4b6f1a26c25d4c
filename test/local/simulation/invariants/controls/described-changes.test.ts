import { describe, expect, it } from 'vitest'
import { describedChanges } from '../../../../../local/simulation/invariants/controls/described-changes.ts'
import { asked, showWith } from '../made-up-evidence.ts'

const judge = (detail: string, what = 'control.streams') =>
  describedChanges({
    shows: [showWith({ state: { timeline: [{ at: '', what, detail }] } as never })],
    apiRequests: [
      asked(0, {
        method: 'PATCH',
        path: '/shows/a-show',
        body: JSON.stringify({
          layouts: [{ recording: 'program', layout: { type: 'pip' } }],
          streams: [{ broadcast: 'live', removeStream: 's1' }],
        }),
      }),
    ],
  })

describe('describedChanges', () => {
  it('accepts the changes that were asked for', () => {
    expect(judge('The stream s1 was removed from the broadcast live.')).toEqual([])
    expect(judge('The layout of the recording program is pip.', 'control.layout')).toEqual([])
  })

  it('finds another change, also among several', () => {
    const other = 'The stream s1 was added to the broadcast live.'
    expect(judge(`The stream s1 was removed from the broadcast live. ${other}`)).toEqual([
      `the timeline of a-show describes a change without a request: ${other}`,
    ])
    expect(judge('The layout of the recording program is bestFit.', 'control.layout')).toHaveLength(1)
  })
  it('finds a marker that is described with another time', () => {
    const judgeMarker = (seconds: number) => {
      const entry = { at: '', what: 'control.marker', id: 'a', detail: `The marker Questions is at ${seconds} s.` }
      const markers = [{ id: 'a', at: '2030-01-01T10:01:30.540Z', title: 'Questions' }]
      const state = { liveAt: '2030-01-01T10:00:00.000Z', markers, timeline: [entry] }
      return describedChanges({ shows: [showWith({ state: state as never })], apiRequests: [] })
    }
    expect(judgeMarker(90.5)).toEqual([])
    expect(judgeMarker(9.1)).toEqual([
      'the timeline of a-show describes a marker at 90.5 s with: The marker Questions is at 9.1 s.',
    ])
  })
})
