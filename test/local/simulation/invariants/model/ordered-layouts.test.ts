import { describe, expect, it } from 'vitest'
import { orderedLayouts } from '../../../../../local/simulation/invariants/model/ordered-layouts.ts'
import { change } from '../made-up-evidence.ts'

type Evidence = Parameters<typeof orderedLayouts>[0]

const cues = [{ at: 10, recording: 'program', layout: { type: 'pip' } }]
const document = { recordings: [{ name: 'program', layout: { screenshareType: 'pip' } }], cues }
const asked = (type: string) => ({
  method: 'PATCH',
  path: '/shows/a-show',
  body: JSON.stringify({ layouts: [{ recording: 'program', layout: { type } }] }),
})
const initial = { type: 'bestFit', screenshareType: 'pip' }
const judge = (layouts: readonly object[], { part = 1, requests = [] as object[] } = {}) =>
  orderedLayouts({
    shows: [{ showId: 'a-show', request: { show: document } }],
    statusChanges: [change(0, { id: 'one', tag: `a-show/program/${part}` })],
    layouts: layouts.map((layout, at) => ({ at, id: 'one', layout })),
    apiRequests: requests,
  } as unknown as Evidence)

describe('orderedLayouts', () => {
  it('accepts the layout of the document, of a cue and of a change', () => {
    expect(judge([initial, { type: 'pip' }])).toEqual([])
    expect(judge([initial, { type: 'verticalPresentation' }], { requests: [asked('verticalPresentation')] })).toEqual(
      [],
    )
    expect(judge([{ type: 'pip' }], { part: 2 })).toEqual([])
  })

  it('accepts the layout of a broadcast that was added', () => {
    const layout = { type: 'horizontalPresentation' }
    const requests = [
      { method: 'POST', path: '/shows/a-show/broadcasts', body: JSON.stringify({ name: 'late', layout }) },
    ]
    const change = { id: 'two', kind: 'broadcast', tag: 'a-show/late/1' }
    const evidence = { statusChanges: [change], layouts: [{ at: 0, id: 'two', layout }], apiRequests: requests }
    const shows = [{ showId: 'a-show', request: { show: document } }]
    expect(orderedLayouts({ shows, ...evidence } as unknown as Evidence)).toEqual([])
  })

  it('finds a layout that was not ordered', () => {
    expect(judge([initial, { type: 'verticalPresentation' }])).toEqual([
      'the recording program, part 1, is drawn with a layout that was not ordered: verticalPresentation',
    ])
  })

  it('finds a first part that begins with another layout', () => {
    expect(judge([{ type: 'pip' }])).toEqual([
      'the recording program, part 1, begins with the layout pip, and not with bestFit pip',
    ])
  })

  it('finds a next part that begins without the layout to which the part before was changed', () => {
    const next = (layout: object, start = 600_000) =>
      orderedLayouts({
        shows: [{ showId: 'a-show', request: { show: document } }],
        statusChanges: [
          change(0, { id: 'one', tag: 'a-show/program/1' }),
          change(start, { id: 'two', tag: 'a-show/program/2' }),
        ],
        layouts: [
          { at: 0, id: 'one', layout: initial },
          { at: 10_000, id: 'one', layout: { type: 'pip' } },
          { at: start, id: 'two', layout },
        ],
        apiRequests: [],
      } as unknown as Evidence)
    expect(next(initial)).toEqual(['the recording program, part 2, begins without the layout of the part before: pip'])
    expect(next({ type: 'pip' })).toEqual([])
    expect(next(initial, 30_000)).toEqual([]) // it may have been ordered before the change
  })
})
