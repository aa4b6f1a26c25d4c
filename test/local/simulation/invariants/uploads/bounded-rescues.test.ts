import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { boundedRescues } from '../../../../../local/simulation/invariants/uploads/bounded-rescues.ts'
import { showWith, watchFaultAt } from '../made-up-evidence.ts'

const END = 600_000
const rescueAt = (at: number, machine = 'rescue') => ({
  ...{ machine, startDate: new Date(at) },
  input: JSON.stringify({ showId: 'a-show', stranded: [{ name: 'program', part: 1, archiveId: 'one' }] }),
})
const judge = (...executions: object[]) =>
  boundedRescues({
    shows: [showWith({ state: { endedAt: new Date(END).toISOString() } })],
    executions: executions as never,
    failedCalls: [],
  })
const four = [0, 60_000, 360_000, 1_260_000].map((after) => rescueAt(END + after))

describe('boundedRescues', () => {
  it('finds an archive that is tried to be rescued more often than documented', () => {
    expect(judge(...four, rescueAt(END + 2_000_000))).toEqual([
      'the archive one was tried to be rescued 5 times after the end of its show',
    ])
  })

  it('accepts four attempts after the end, those before, and other executions', () => {
    expect(judge(...four)).toEqual([])
    expect(judge(...four, rescueAt(END - 1))).toEqual([])
    expect(judge(...four, rescueAt(END, 'watch'))).toEqual([])
  })

  it('finds an archive that is noted as tried, and that nothing has tried to rescue', () => {
    const state = { endedAt: new Date(END).toISOString(), closings: 0 }
    const recordings = [{ name: 'program', part: 1, tag: 'a-show/program/1', archiveId: 'one', rescueTries: 2 }]
    const lost = watchFaultAt(END, 'CheckUploads')
    const tried = (closings: number, executions: object[], failedCalls: FailedCall[] = []) =>
      boundedRescues({
        shows: [showWith({ state: { ...state, closings, recordings } as never })],
        executions: executions as never,
        failedCalls,
      })
    const problem = 'the archive a-show/program/1 was to be rescued 2 times, and was not'
    expect(tried(0, [rescueAt(END)])).toEqual([problem])
    expect(tried(1, [rescueAt(END)])).toEqual([])
    expect(tried(0, [rescueAt(END), rescueAt(END + 60_000)])).toEqual([])
    expect(tried(0, [rescueAt(END)], [lost])).toEqual([])
    expect(tried(0, [], [lost])).toEqual([problem])
  })
})
