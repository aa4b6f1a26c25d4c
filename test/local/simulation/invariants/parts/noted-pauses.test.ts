import { describe, expect, it } from 'vitest'
import { notedPauses } from '../../../../../local/simulation/invariants/parts/noted-pauses.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const at = new Date(100_000).toISOString()
const pauses = [{ id: 'p', recording: 'program', action: 'pause', at }]
const judge = (part: number, { begins = 50_000, failedCalls = [watchFaultAt(9_999_999)] } = {}) =>
  notedPauses({
    shows: [
      showWith({
        state: {
          ...{ liveAt: new Date(0).toISOString(), pauses },
          timeline: [{ what: 'recording.paused', name: 'program', part, at }],
        } as never,
      }),
    ],
    statusChanges: [change(0), change(begins, { id: 'two', tag: 'a-show/program/2' })],
    trace: [],
    failedCalls,
  })

describe('notedPauses', () => {
  it('finds a pause that names a part before the last one', () => {
    expect(judge(1)).toEqual(['the pause of program at 1970-01-01T00:01:40.000Z names part 1, and part 2 ran'])
    expect(judge(2)).toEqual([])
  })

  it('finds a pause that is answered as done and has no event', () => {
    const answered = { what: 'control.pause', name: 'program', at, detail: 'The recording program is paused.' }
    const paused = { what: 'recording.paused', name: 'program', part: 1, at }
    const judgeTimeline = (...timeline: object[]) =>
      notedPauses({
        shows: [showWith({ state: { liveAt: new Date(0).toISOString(), pauses, timeline } as never })],
        ...{ statusChanges: [change(0)], trace: [], failedCalls: [] },
      })
    expect(judgeTimeline(paused, answered)).toEqual([])
    expect(judgeTimeline(answered)).toEqual(['the pause of program at 1970-01-01T00:01:40.000Z has no event'])
    expect(judgeTimeline({ ...answered, detail: 'It pauses within a minute.' })).toEqual([])
    const late = { ...paused, at: new Date(130_000).toISOString() }
    expect(judgeTimeline(late, answered)).toHaveLength(1)
  })

  it('accepts one whose last part has just begun, or was hidden by a fault', () => {
    expect(judge(1, { begins: 95_000 })).toEqual([])
    expect(judge(1, { failedCalls: [watchFaultAt(60_000)] })).toEqual([])
  })
})
