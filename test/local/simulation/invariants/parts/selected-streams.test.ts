import { describe, expect, it } from 'vitest'
import { selectedStreams } from '../../../../../local/simulation/invariants/parts/selected-streams.ts'
import { asked, change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const select = (streams: object[], more = {}) =>
  asked(10_000, { method: 'PATCH', path: '/shows/a-show', body: JSON.stringify({ streams }), ...more })
const added = [{ recording: 'program', addStream: 's' }]
const selects = (id: string) => ({
  ...{ at: 1_001_000, line: '' },
  call: { caller: 'RollOver', name: 'platform changeArchiveStreams', status: 204, path: `/archive/${id}/streams` },
})
const judge = ({
  request = select(added),
  trace = [] as ReturnType<typeof selects>[],
  ends = 1_020_000,
  failedCalls = [watchFaultAt(9_999_999)],
  streamMode = 'manual',
} = {}) =>
  selectedStreams({
    shows: [showWith({ request: { recordings: [{ name: 'program', streamMode }] } })],
    apiRequests: [request],
    statusChanges: [
      change(0),
      change(1_000_000, { id: 'two', tag: 'a-show/program/2' }),
      change(ends, { status: 'stopped' }),
    ],
    trace,
    failedCalls,
  })

describe('selectedStreams', () => {
  it('finds a next part without the streams that were selected', () => {
    expect(judge()).toEqual(['part 2 of program began without the streams that were selected before'])
    expect(judge({ trace: [selects('one')] })).toHaveLength(1)
    expect(judge({ trace: [selects('two')] })).toEqual([])
  })

  it('expects none of a removed stream, a refused change, a part that had ended, or after a fault', () => {
    expect(judge({ request: select([...added, { recording: 'program', removeStream: 's' }]) })).toEqual([])
    expect(judge({ request: select(added, { status: 409 }) })).toEqual([])
    expect(judge({ ends: 900_000 })).toEqual([])
    expect(judge({ streamMode: 'auto' })).toEqual([])
    expect(judge({ failedCalls: [watchFaultAt(500_000)] })).toEqual([])
  })
})
