import { describe, expect, it } from 'vitest'
import { pausesOf } from '../../../../lib/show/state/pauses.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const order = {
  name: 'program',
  pauses: [
    { from: 100, to: 200 },
    { from: 300, to: 400 },
  ],
}

/** Returns the pauses in seconds of live time, after requests for the recording. */
const after = (...requests: (readonly ['pause' | 'resume', number])[]) =>
  pausesOf(order, {
    liveAt: at(0),
    pauses: requests.map(([action, seconds]) => ({ id: 'a', recording: 'program', action, at: at(seconds) })),
  }).map(({ from, to }) => [from / 1000, to / 1000])

describe('pausesOf', () => {
  it('returns planned pauses once the show is live', () => {
    expect(after()).toEqual([
      [100, 200],
      [300, 400],
    ])
    expect(pausesOf(order, {})).toEqual([])
    const other = { id: 'a', recording: 'other', action: 'pause' as const, at: at(10) }
    expect(pausesOf({ name: 'program' }, { liveAt: at(0), pauses: [other] })).toEqual([])
  })

  it('lasts from a request to pause until one to resume', () => {
    expect(after(['pause', 210], ['resume', 220])[1]).toEqual([210, 220])
    expect(after(['pause', 410])[2]).toEqual([410, Number.POSITIVE_INFINITY])
  })

  it('joins requests with planned pauses, and ends both with a request to resume', () => {
    expect(after(['pause', 50])).toEqual([[50, Number.POSITIVE_INFINITY]])
    expect(after(['pause', 50], ['resume', 150])).toEqual([
      [50, 150],
      [300, 400],
    ])
    expect(after(['resume', 120])[0]).toEqual([100, 120])
  })
})
