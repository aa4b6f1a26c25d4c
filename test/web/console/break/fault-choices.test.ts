import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFaults, type FaultOrder } from '../../../../local/sandbox/http/faults.ts'
import { createIds } from '../../../../local/sandbox/state/ids.ts'
import { breakableOperations, describeFault, faultChoices } from '../../../../web/console/break/fault-choices.ts'

describe('faultChoices', () => {
  it('are orders that the sandbox accepts, for each operation', () => {
    const faults = createFaults(createIds(randomBytes))
    const operations = Object.keys(breakableOperations) as FaultOrder['operation'][]
    for (const operation of operations) for (const { fault } of faultChoices) faults.order({ operation, fault })
    expect(faults.list()).toHaveLength(operations.length * faultChoices.length)
  })
})

describe('describeFault', () => {
  it('names operation, fault and how often it strikes', () => {
    const one = { id: '1', operation: 'stopArchive', times: 3, fault: { type: 'status', status: 503 } }
    expect(describeFault(one)).toBe('Stop a recording: Answers 503, 3 times more')
    const other = { id: '2', operation: 'muteStream', times: 1, fault: { type: 'listLag', ms: 5 } }
    expect(describeFault(other)).toBe('muteStream: listLag, once more')
  })
})
