import { describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../../../local/simulation/environment/app/api-requests.ts'
import { markersOnce } from '../../../../../local/simulation/invariants/controls/markers-once.ts'
import type { ShowEvidence } from '../../../../../local/simulation/invariants/evidence.ts'
import { asked } from '../made-up-evidence.ts'

const LIVE_AT = '2030-01-01T10:00:00.000Z'
const LATER = '2030-01-01T10:05:00.000Z'
const END = '2030-01-01T11:00:00.000Z'
const marker = (id: string, at = LATER) => ({ id, at, title: 'Questions' })
const entry = (id: string) => ({ at: LATER, what: 'control.marker', id })

function check(markers: readonly object[], timeline: readonly object[], apiRequests: readonly AnsweredRequest[] = []) {
  const state = { liveAt: LIVE_AT, plannedEndAt: END, markers, timeline } as unknown as ShowEvidence['state']
  const shows = [{ showId: 'show', startedAt: 0, request: undefined, result: undefined, state }]
  return markersOnce({ shows, apiRequests })
}

describe('markersOnce', () => {
  it('accepts markers that are reported, and shows without any', () => {
    expect(check([marker('a'), marker('b', LIVE_AT)], [entry('a'), entry('b')])).toEqual([])
    expect(check([], [])).toEqual([])
  })

  it('finds markers that are set twice, unreported, lost or early', () => {
    expect(check([marker('a'), marker('a')], [entry('a')])).toEqual(['the show show has 2 markers of control a'])
    expect(check([marker('a')], [])).toEqual(['the show show does not report the marker of control a'])
    expect(check([], [entry('a')])).toEqual(['the show show reports no marker of control a'])
    expect(check([marker('a', '2030-01-01T09:00:00.000Z')], [entry('a')])).toEqual([
      'the show show has a marker at 2030-01-01T09:00:00.000Z, before it was live',
    ])
  })

  it('finds a marker after the end, unless a request may have moved that', () => {
    expect(check([marker('a', END)], [entry('a')])).toEqual([`the show show has a marker at ${END}, after its end`])
    const moved = asked(0, { method: 'PATCH', path: '/shows/show' })
    expect(check([marker('a', END)], [entry('a')], [moved])).toEqual([])
  })
})
