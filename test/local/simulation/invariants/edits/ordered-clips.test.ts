import { describe, expect, it } from 'vitest'
import { orderedClips } from '../../../../../local/simulation/invariants/edits/ordered-clips.ts'
import { edit, evidenceOf } from './edits.ts'

const judge = (order: object, status: number, answered: object = {}) => {
  const request = edit('POST', '/clips', { status, body: JSON.stringify(order), answer: JSON.stringify(answered) })
  return orderedClips(evidenceOf([request], { manifest: { duration: 60 } }))
}

describe('orderedClips', () => {
  it('accepts the times that were ordered, and refusals of times that the recording has not', () => {
    expect(judge({ last: 20 }, 202, { from: 40, to: 60 })).toEqual([])
    expect(judge({ last: 3_600 }, 202, { from: 0, to: 60 })).toEqual([])
    expect(judge({ from: 10 }, 202, { from: 10, to: 60 })).toEqual([])
    expect(judge({ from: 10, to: 60.4 }, 202, { from: 10, to: 60 })).toEqual([])
    for (const order of [{ from: 60 }, { from: 10, to: 61 }, { from: 59.8 }]) expect(judge(order, 400)).toEqual([])
    expect(judge({ from: 10 }, 409)).toEqual([])
  })

  it('judges clips since the latest marker of the recording', () => {
    const markers = [10, 30, 90].map((seconds) => ({ at: new Date(seconds * 1000).toISOString() }))
    const since = (status: number, answered: object, state: object) =>
      orderedClips(
        evidenceOf(
          [edit('POST', '/clips', { status, body: '{"from":"last marker"}', answer: JSON.stringify(answered) })],
          {
            manifest: { duration: 60, createdAt: new Date(0).toISOString(), show: { showId: 'a-show' } },
            objects: { 'shows/a-show/state.json': JSON.stringify(state) },
          },
        ),
      )
    expect(since(202, { from: 30, to: 60 }, { markers })).toEqual([])
    expect(since(202, { from: 10, to: 60 }, { markers })).toHaveLength(1)
    expect(since(400, {}, {})).toEqual([])
    expect(since(400, {}, { markers })).toHaveLength(1)
  })

  it('judges clips by times on the clock, of which pauses are taken off', () => {
    const time = (seconds: number) => new Date(seconds * 1000).toISOString()
    const manifest = { duration: 60, createdAt: time(0), parts: ['one', 'two'], pauses: [{ at: 20, duration: 100 }] }
    const between = (from: number, to: number, answered: object) => {
      const body = JSON.stringify({ from: time(from), to: time(to) })
      return orderedClips(
        evidenceOf([edit('POST', '/clips', { status: 202, body, answer: JSON.stringify(answered) })], { manifest }),
      )
    }
    expect(between(10, 140, { from: 10, to: 40 })).toEqual([])
    expect(between(110, 300, { from: 20, to: 60 })).toEqual([])
    expect(between(110, 140, { from: 10, to: 40 })).toEqual([
      'a clip of the recording one has the times 10 to 40, and not 20 to 40',
    ])
  })

  it('finds other times, and orders that were refused or accepted wrongly', () => {
    const clip = 'a clip of the recording one'
    expect(judge({ last: 20 }, 202, { from: 0, to: 20 })).toEqual([`${clip} has the times 0 to 20, and not 40 to 60`])
    expect(judge({ from: 5 }, 400)).toEqual([`${clip} is refused, although the recording has it: {"from":5}`])
    expect(judge({ from: 60 }, 202)).toEqual([`${clip} is accepted, although the recording has it not: {"from":60}`])
  })
})
