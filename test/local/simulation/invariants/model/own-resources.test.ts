import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { ownResources } from '../../../../../local/simulation/invariants/model/own-resources.ts'
import { change } from '../made-up-evidence.ts'

const stopFor = (show: string, name = 'platform stopArchive', at = 0) => ({
  ...{ at, line: '', show },
  call: { caller: 'StopShow', name, status: 200, path: '/v2/project/1234/archive/one/stop' },
})
const judge = (entry: ReturnType<typeof stopFor>, failedCalls: FailedCall[] = []) =>
  ownResources({ trace: [entry], statusChanges: [change(0)], failedCalls })

describe('ownResources', () => {
  it('finds a function that stops an archive of another show', () => {
    expect(judge(stopFor('another-show'))).toEqual([
      'StopShow called platform stopArchive of a-show/program/1 for the show another-show',
    ])
  })

  it('accepts the stop by its own show, and reading', () => {
    expect(judge(stopFor('a-show'))).toEqual([])
    expect(judge(stopFor('another-show', 'platform getArchive'))).toEqual([])
  })

  it('excuses a call that the platform received late: its function may work for another show by then', () => {
    const delayed = { caller: 'StopShow', operation: 'platform stopArchive', kind: 'delayed', at: 0 } as const
    expect(judge(stopFor('another-show', 'platform stopArchive', 60_000), [delayed])).toEqual([])
    expect(judge(stopFor('another-show', 'platform stopArchive', 300_000), [delayed])).toHaveLength(1)
  })
})
