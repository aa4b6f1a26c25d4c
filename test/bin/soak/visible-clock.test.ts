import { describe, expect, it } from 'vitest'
import { judgeTimecodes } from '../../../bin/soak/visible-clock.ts'
import { TIMECODE_ROUND } from '../../../local/sandbox/media/pattern/timecode.ts'

/** Timecodes at samples half a second apart. */
const from = (first: number, samples: number) =>
  Array.from({ length: samples }, (_, sample) => (first + sample * 15) % TIMECODE_ROUND)

describe('judgeTimecodes', () => {
  it('finds no problem in a continuous clock, even past its last number', () => {
    expect(judgeTimecodes(from(TIMECODE_ROUND - 40, 6))).toEqual({ samples: 6, unread: 0, dropped: [], repeated: [] })
  })

  it('finds the sample at which time is missing or repeated', () => {
    expect(judgeTimecodes([...from(100, 4), ...from(100 + 60 + 30, 4)])).toMatchObject({ dropped: [2], repeated: [] })
    expect(judgeTimecodes([...from(100, 4), ...from(100 + 60 - 30, 4)])).toMatchObject({ dropped: [], repeated: [2] })
  })

  it('counts unreadable samples, and still finds what was lost meanwhile', () => {
    const codes = [...from(100, 2), undefined, undefined, ...from(100 + 60 + 1, 2)]
    expect(judgeTimecodes(codes)).toEqual({ samples: 6, unread: 2, dropped: [2], repeated: [] })
  })
})
