import { describe, expect, it } from 'vitest'
import { selectedStreams } from '../../../../../local/simulation/invariants/parts/selected-streams.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const stream = { streamId: 's', hasAudio: true, hasVideo: false }
const chosen = (id: string, seconds: number, ...streams: (typeof stream)[]) => ({ at: seconds * 1000, id, streams })
const before = chosen('one', 10, stream)
const leaves = (seconds: number) => ({
  ...{ at: seconds * 1000, line: '' },
  call: { caller: 'Ada', name: 'platform leaveSession', status: 204 },
})
/** Judges a recording, or a broadcast, whose second part begins at 1,000 s. */
const judge = (
  choices: (typeof before)[],
  { trace = [leaves(9_999)], ends = 1_020_000, failedCalls = [watchFaultAt(9_999_999)], kind = 'archive' } = {},
) => {
  const of = { kind: kind === 'archive' ? 'archive' : 'broadcast' } as const
  return selectedStreams({
    shows: [showWith()],
    choices,
    statusChanges: [
      change(0, of),
      change(1_000_000, { ...of, id: 'two', tag: 'a-show/program/2' }),
      change(ends, { ...of, status: 'stopped' }),
    ],
    ...{ trace, failedCalls },
  })
}

describe('selectedStreams', () => {
  const problem = 'part 2 of program began with no streams, and the part before it takes s (audio)'

  it('finds a next part without the streams that were selected', () => {
    expect(judge([before])).toEqual([problem])
    expect(judge([before], { kind: 'broadcast' })).toEqual([problem])
    expect(judge([before, chosen('two', 1_121, stream)])).toEqual([problem])
    expect(judge([before, chosen('two', 1_001, stream)])).toEqual([])
    expect(judge([])).toEqual([])
  })

  it('finds a next part that takes other tracks, or a stream that was removed', () => {
    expect(judge([before, chosen('two', 1_001, { ...stream, hasVideo: true })])).toEqual([
      'part 2 of program began with s (audio and video), and the part before it takes s (audio)',
    ])
    expect(judge([before, chosen('one', 500), chosen('two', 1_001, stream)])).toHaveLength(1)
  })

  it('expects none while the selection changes, after a stream left or the part ended, or after a fault', () => {
    expect(judge([before, chosen('one', 950, stream)])).toEqual([])
    expect(judge([before], { trace: [leaves(900)] })).toEqual([])
    const two = chosen('one', 10, stream, { ...stream, streamId: 't' })
    expect(judge([two, chosen('two', 1_001, stream)], { trace: [leaves(900)] })).toEqual([])
    expect(judge([two], { trace: [leaves(900)] })).toEqual([
      'part 2 of program began with no streams, and the part before it takes s (audio), t (audio)',
    ])
    expect(judge([before], { ends: 900_000 })).toEqual([])
    expect(judge([before], { failedCalls: [watchFaultAt(500_000)] })).toEqual([])
  })
})
