import { describe, expect, it } from 'vitest'
import { movedEnds } from '../../../../../local/simulation/invariants/controls/moved-ends.ts'
import { asked, showWith } from '../made-up-evidence.ts'

const time = (seconds: number) => new Date(seconds * 1000).toISOString()
const liveAt = time(0)
const move = (body: object, at = 0, more = {}) =>
  asked(at, { method: 'PATCH', path: '/shows/a-show', body: JSON.stringify(body), ...more })
const mark = (body: object) => asked(0, { path: '/shows/a-show/markers', body: JSON.stringify(body) })
const judge = (state: object, ...apiRequests: ReturnType<typeof asked>[]) =>
  movedEnds({ shows: [showWith({ state: { liveAt, ...state } })], apiRequests })

describe('movedEnds', () => {
  it('finds a show that does not end when it was asked to', () => {
    expect(judge({ plannedEndAt: time(60) }, move({ duration: 90 }))).toEqual([
      'the show a-show ends at 1970-01-01T00:01:00.000Z, and {"duration":90} was answered as done',
    ])
    expect(judge({ plannedEndAt: time(90) }, move({ duration: 90 }))).toEqual([])
    expect(judge({ plannedEndAt: time(90) }, move({ endsAt: time(90) }))).toEqual([])
  })

  it('judges the last request, unless another one may be later, or it was not done', () => {
    expect(judge({ plannedEndAt: time(90) }, move({ duration: 60 }), move({ duration: 90 }, 100))).toEqual([])
    expect(judge({ plannedEndAt: time(60) }, move({ duration: 60 }), move({ duration: 90 }, 5))).toEqual([])
    expect(judge({ plannedEndAt: time(60) }, move({ duration: 90 }, 0, { status: 409 }))).toEqual([])
  })

  it('finds a marker at another time, or with another title', () => {
    const markers = [{ id: 'one', at: time(7), title: 'Talk' }]
    expect(judge({ markers }, mark({ label: 'Talk', at: 7 }))).toEqual([])
    expect(judge({ markers }, mark({ label: 'Talk', at: 8 }))).toHaveLength(1)
    expect(judge({ markers }, mark({ label: 'Talk' }))).toHaveLength(1)
    expect(judge({ markers: [] }, mark({ label: 'Talk', at: 7 }))).toEqual([
      'the show a-show has no marker of {"label":"Talk","at":7}, which was answered as done',
    ])
  })
})
