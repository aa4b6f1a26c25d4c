import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { adoptedStarts } from '../../../../../local/simulation/invariants/starts/adopted-starts.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { change, faultAt, showWith } from '../made-up-evidence.ts'

const START = 1_000_000
const part = { name: 'program', part: 1, tag: 'a-show/program/1' }
const lost = { ...part, problem: 'answered 409', lost: 'answered 409' }

const lostAt = (at: number, caller = 'StartRecording'): FailedCall => ({
  ...{ caller, operation: 'platform startArchive', kind: 'lost after', at },
})

const judge = (
  recording: object,
  failedCalls = [lostAt(START)],
  changes = [change(START)],
  trace = [] as TraceEntry[],
) => {
  const result = { recordings: [recording], reportedAt: new Date(START + 600_000).toISOString() }
  return adoptedStarts({ shows: [showWith({ result })], statusChanges: changes, trace, failedCalls })
}

describe('adoptedStarts', () => {
  it('finds an archive that was started and is called lost', () => {
    expect(judge(lost)).toEqual(['the archive a-show/program/1 was started, and its show calls it lost'])
    expect(judge(lost, [lostAt(START)], [change(START)], [faultAt(START, 'lagging lists')])).toHaveLength(1)
  })

  it('finds an archive that runs and is called failed while its show is live', () => {
    const failedAt = (at: number, changes = [change(START)]) =>
      adoptedStarts({
        shows: [
          showWith({
            state: {
              recordings: [part] as never,
              timeline: [
                { what: 'recording.failed', name: 'program', part: 1, at: new Date(at).toISOString() },
              ] as never,
              endedAt: new Date(START + 300_000).toISOString(),
            },
          }),
        ],
        ...{ statusChanges: changes, trace: [], failedCalls: [lostAt(START)] },
      })
    expect(failedAt(START + 40_000)).toEqual(['the archive a-show/program/1 was started, and its show calls it failed'])
    expect(failedAt(START + 40_000, [change(START), change(START + 30_000, { status: 'failed' })])).toEqual([])
    expect(failedAt(START - 1_000)).toEqual([])
    expect(failedAt(START + 400_000)).toEqual([])
  })

  it('accepts an adopted archive, and one that was never started', () => {
    expect(judge({ ...part, archiveId: 'one' })).toEqual([])
    expect(judge(lost, [lostAt(START)], [])).toEqual([])
    expect(judge(lost, [lostAt(START)], [change(START + 900_000)])).toEqual([])
  })

  it('excuses a second fault within a minute', () => {
    expect(judge(lost, [lostAt(START), lostAt(START + 30_000)])).toEqual([])
    expect(judge(lost, [lostAt(START), lostAt(START + 90_000)])).toHaveLength(1)
    expect(judge(lost, [lostAt(START)], [change(START)], [faultAt(START, 'restart')])).toEqual([])
  })

  it('is not excused by the fault of another task', () => {
    expect(judge(lost, [lostAt(START), lostAt(START + 30_000, 'SweepShows')])).toHaveLength(1)
  })
})
