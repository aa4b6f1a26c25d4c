import { describe, expect, it } from 'vitest'
import { refusedStarts } from '../../../../../local/simulation/invariants/ends/refused-starts.ts'
import { showWith } from '../made-up-evidence.ts'

const judge = (state: object, outcome = 'ShowStoppedError', request = {}) =>
  refusedStarts({
    shows: [showWith({ state: state as never, request })],
    trace: [
      { at: 10_000, line: '       10.000 cloud -> StartRecording/2 invoked' },
      {
        ...{ at: 10_000, line: '', show: 'a-show' },
        call: { caller: 'StartRecording/2', name: 'platform listArchives', status: 200 },
      },
      { at: 10_000, line: `       10.000 StartRecording/2 -> cloud ${outcome}` },
    ],
  })
const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()

describe('refusedStarts', () => {
  it('finds a start that a running show refuses', () => {
    expect(judge({})).toEqual([
      'StartRecording/2 refused a start at 1970-01-01T00:00:10.000Z, and its show was neither stopped nor paused',
    ])
    expect(judge({ endedAt: iso(60) })).toHaveLength(1)
  })

  it('accepts one of a show that is stopped, over or paused, and other outcomes', () => {
    expect(judge({ stopAskedAt: iso(9) })).toEqual([])
    expect(judge({ endedAt: iso(10) })).toEqual([])
    expect(judge({ pauses: [{ recording: 'program' }] })).toEqual([])
    expect(judge({ broadcasts: [{ name: 'live', stopAskedAt: iso(5) }] })).toEqual([])
    expect(
      judge({}, 'ShowStoppedError', { recordings: [{ name: 'program', pauses: [{ from: 10, to: 20 }] }] }),
    ).toEqual([])
    expect(judge({}, 'done')).toEqual([])
  })
})
