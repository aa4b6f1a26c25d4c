import { describe, expect, it } from 'vitest'
import { judge } from '../../../bin/soak/visible-clock.ts'
import { TIMECODE_ROUND } from '../../../local/sandbox/media/pattern/timecode.ts'

/** Timecodes at looks half a second apart. */
const from = (first: number, looks: number) =>
  Array.from({ length: looks }, (_, look) => (first + look * 15) % TIMECODE_ROUND)

describe('judge', () => {
  it('finds nothing where the clock goes on, also past its last number', () => {
    expect(judge(from(TIMECODE_ROUND - 40, 6))).toEqual({ looks: 6, unread: 0, dropped: [], repeated: [] })
  })

  it('finds where time is missing and where it is repeated, to the look', () => {
    expect(judge([...from(100, 4), ...from(100 + 60 + 30, 4)])).toMatchObject({ dropped: [2], repeated: [] })
    expect(judge([...from(100, 4), ...from(100 + 60 - 30, 4)])).toMatchObject({ dropped: [], repeated: [2] })
  })

  it('counts what cannot be read, and still finds what happened meanwhile', () => {
    const codes = [...from(100, 2), undefined, undefined, ...from(100 + 60 + 1, 2)]
    expect(judge(codes)).toEqual({ looks: 6, unread: 2, dropped: [2], repeated: [] })
  })
})
