import { describe, expect, it } from 'vitest'
import type { ExecutionEvidence } from '../../../../../local/simulation/invariants/evidence.ts'
import { boundedChildren } from '../../../../../local/simulation/invariants/model/bounded-children.ts'
import { faultAt } from '../made-up-evidence.ts'

const HOUR = 3_600_000
const execution = (machine: string, ms: number) =>
  ({ machine, name: 'child', startDate: new Date(0), stopDate: new Date(ms) }) as ExecutionEvidence
const check = (one: ExecutionEvidence, trace = [faultAt(0)]) => boundedChildren({ executions: [one], trace, now: HOUR })

describe('boundedChildren', () => {
  it('accepts an hour, and longer executions of other machines', () => {
    expect(check(execution('watch', HOUR + 60_000))).toEqual([])
    expect(check(execution('show', 5 * HOUR))).toEqual([])
  })

  it.each([
    ['watch', 3_900],
    ['audience', 3_500],
  ] as const)('finds a child of the machine %s that does not end after its %d s', (machine, limit) => {
    expect(check(execution(machine, (limit + 200) * 1000))).toEqual([])
    expect(check(execution(machine, 1.25 * HOUR))).toEqual([
      `the execution child of ${machine} ran for 4500 s, where ${limit} s is the limit`,
    ])
  })

  it('excuses a child whose last poll a fault delays', () => {
    expect(check(execution('watch', 1.25 * HOUR), [faultAt(HOUR - 300_000)])).toEqual([])
  })
})
