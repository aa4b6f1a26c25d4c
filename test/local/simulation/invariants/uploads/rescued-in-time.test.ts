import { describe, expect, it } from 'vitest'
import { rescuedInTime } from '../../../../../local/simulation/invariants/uploads/rescued-in-time.ts'
import { change, faultAt, showWith, watchFaultAt } from '../made-up-evidence.ts'

const HOUR = 3_600_000
const rescue = (hours: number, archiveId = 'one') => ({
  ...{ machine: 'rescue', startDate: new Date(hours * HOUR) },
  input: JSON.stringify({ showId: 'a-show', stranded: [{ archiveId }] }),
})

/** Judges an archive that starts at 0 and whose upload fails after five hours. */
const judge = ({
  executions = [rescue(0, 'another')],
  endsAt = 50,
  trace = [faultAt(0, 'restart')],
  failedCalls = [watchFaultAt(0)],
  more = [change(5 * HOUR, { status: 'available', createdAt: 0 })],
} = {}) =>
  rescuedInTime({
    shows: [showWith({ state: { endedAt: new Date(endsAt * HOUR).toISOString() } })],
    executions: executions as never,
    statusChanges: [change(0), ...more],
    ...{ trace, failedCalls },
  })

describe('rescuedInTime', () => {
  it('finds an archive that a running show does not rescue in time', () => {
    const problem =
      'the archive a-show/program/1 was not rescued until 1970-01-02T13:00:00.000Z, and its show still ran'
    expect(judge()).toEqual([problem])
    expect(judge({ executions: [rescue(37.1)] })).toEqual([problem])
    expect(judge({ executions: [rescue(36.1)] })).toEqual([])
  })

  it('accepts the end of the show before, a file that is not kept any more, and one that was uploaded', () => {
    expect(judge({ endsAt: 36.9 })).toEqual([])
    const available = change(5 * HOUR, { status: 'available', createdAt: 0 })
    expect(judge({ more: [available, change(6 * HOUR, { status: 'deleted' })] })).toEqual([])
    expect(judge({ more: [change(5 * HOUR, { status: 'uploaded' })] })).toEqual([])
  })

  it('allows an hour more for each fault', () => {
    const failedCalls = [watchFaultAt(36.5 * HOUR)]
    expect(judge({ failedCalls, executions: [rescue(37.4)] })).toEqual([])
    expect(judge({ failedCalls, executions: [rescue(37.6)] })).toHaveLength(1)
    expect(judge({ trace: [faultAt(36.5 * HOUR, 'restart')], executions: [rescue(37.4)] })).toEqual([])
  })
})
