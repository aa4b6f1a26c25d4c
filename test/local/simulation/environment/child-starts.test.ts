import { describe, expect, it } from 'vitest'
import { createChildStarts } from '../../../../local/simulation/environment/child-starts.ts'
import { createInjectedFaults } from '../../../../local/simulation/faults/faults.ts'
import { createTrace } from '../../../../local/simulation/trace.ts'

const ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:showrunner-dev-watch:3'

describe('createChildStarts', () => {
  it('throttles the starts that the seed decides, and no other', () => {
    const clock = { now: () => 0 }
    const faults = createInjectedFaults({
      decide: ({ operation, occurrence }) =>
        operation === 'execution watch' && occurrence === 2 ? { kind: 'throttled' } : undefined,
      now: clock.now,
      trace: createTrace(clock),
    })
    const before = createChildStarts(faults)
    before(ARN)
    expect(() => before(ARN)).toThrow(expect.objectContaining({ name: 'Throttling' }))
    before(ARN)
    expect(faults.failedCalls).toMatchObject([{ operation: 'execution watch', kind: 'throttled' }])
  })
})
