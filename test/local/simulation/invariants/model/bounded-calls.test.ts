import { describe, expect, it } from 'vitest'
import { boundedCalls } from '../../../../../local/simulation/invariants/model/bounded-calls.ts'

const line = (words: string, fault?: string) => ({ at: 0, line: `    0.000 ${words}`, ...(fault && { fault }) })
const judge = (faults: number, outcome = 'Sandbox.Timedout') =>
  boundedCalls({
    trace: [
      line('cloud -> NotifyOwner invoked'),
      ...Array.from({ length: faults }, () => line('fault: NotifyOwner -> app POST /events delayed', 'delayed')),
      line(`NotifyOwner -> cloud ${outcome}`),
    ],
  })

describe('boundedCalls', () => {
  it('finds a function that waits for one answer until its time is over', () => {
    expect(judge(1)).toEqual(['NotifyOwner ran out of time at 1970-01-01T00:00:00.000Z, after delayed'])
    expect(judge(0)).toHaveLength(1)
  })

  it('accepts a function that several faults delay, and one that gives up in time', () => {
    expect(judge(2)).toEqual([])
    expect(judge(1, 'ServiceError')).toEqual([])
  })
})
