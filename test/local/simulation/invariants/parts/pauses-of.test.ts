import { describe, expect, it } from 'vitest'
import { pausesOf } from '../../../../../local/simulation/invariants/parts/pauses-of.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const judge = (pauses: { from: number; to: number }[], requests: ['pause' | 'resume', number][] = [], liveAt = 0) =>
  pausesOf({ name: 'program', pauses }, {
    liveAt: at(liveAt),
    pauses: requests.map(([action, seconds], id) => ({ id: `${id}`, recording: 'program', action, at: at(seconds) })),
  } as never).map(({ from, to }) => [from / 1000, to / 1000])

describe('pausesOf', () => {
  it('returns planned pauses from the time at which the show was live', () => {
    expect(judge([{ from: 60, to: 120 }], [], 10)).toEqual([[70, 130]])
    expect(pausesOf({ name: 'program', pauses: [{ from: 60, to: 120 }] }, {} as never)).toEqual([])
  })

  it('returns a pause from its request until the recording is resumed, if it is', () => {
    expect(judge([], [['pause', 30]])).toEqual([[30, Number.POSITIVE_INFINITY]])
    expect(
      judge(
        [],
        [
          ['pause', 30],
          ['resume', 50],
          ['pause', 90],
          ['resume', 95],
        ],
      ),
    ).toEqual([
      [30, 50],
      [90, 95],
    ])
  })

  it('ends a planned pause by a request, and joins pauses that meet', () => {
    expect(judge([{ from: 60, to: 120 }], [['resume', 80]])).toEqual([[60, 80]])
    expect(judge([{ from: 60, to: 120 }], [['pause', 30]])).toEqual([[30, Number.POSITIVE_INFINITY]])
    expect(
      judge([
        { from: 60, to: 120 },
        { from: 120, to: 180 },
      ]),
    ).toEqual([[60, 180]])
  })
})
