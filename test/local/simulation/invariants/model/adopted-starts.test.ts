import { describe, expect, it } from 'vitest'
import { adoptedStarts } from '../../../../../local/simulation/invariants/model/adopted-starts.ts'
import { change, faultAt, showWith } from './made-up-evidence.ts'

const START = 1_000_000
const part = { name: 'program', part: 1, tag: 'a-show/program/1' }
const lost = { ...part, problem: 'answered 409', lost: 'answered 409' }

const judge = (recording: object, faults = [faultAt(START)], changes = [change(START)]) => {
  const result = { recordings: [recording], reportedAt: new Date(START + 600_000).toISOString() }
  return adoptedStarts({ shows: [showWith({ result })], statusChanges: changes, trace: faults })
}

describe('adoptedStarts', () => {
  it('finds an archive that was started and is called lost', () => {
    expect(judge(lost)).toEqual(['the archive a-show/program/1 was started, and its show calls it lost'])
    expect(judge(lost, [faultAt(START), faultAt(START, 'lagging lists')])).toHaveLength(1)
  })

  it('accepts an adopted archive, and one that was never started', () => {
    expect(judge({ ...part, archiveId: 'one' })).toEqual([])
    expect(judge(lost, [faultAt(START)], [])).toEqual([])
    expect(judge(lost, [faultAt(START)], [change(START + 900_000)])).toEqual([])
  })

  it('excuses a second fault within a minute', () => {
    expect(judge(lost, [faultAt(START), faultAt(START + 30_000)])).toEqual([])
    expect(judge(lost, [faultAt(START), faultAt(START + 90_000)])).toHaveLength(1)
  })
})
