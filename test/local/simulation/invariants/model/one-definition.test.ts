import { describe, expect, it } from 'vitest'
import { oneDefinition } from '../../../../../local/simulation/invariants/model/one-definition.ts'

type Evidence = Parameters<typeof oneDefinition>[0]

const execution = (name: string, at: number, first: string, parent?: string) => ({
  ...{ name, executionArn: `arn:${name}`, machine: parent ? 'watch' : 'show', startDate: new Date(at) },
  input: JSON.stringify(parent ? { AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID: `arn:${parent}` } : {}),
  history: [{ type: 'ExecutionStarted' }, { type: 'PassStateEntered', stateEnteredEventDetails: { name: first } }],
})
const judge = (...executions: ReturnType<typeof execution>[]) => {
  const trace = [{ at: 1_000, line: '', unnoticed: 'deployment' }]
  return oneDefinition({ executions, trace } as unknown as Evidence)
}

describe('oneDefinition', () => {
  it('accepts an execution that keeps its definition, with its children', () => {
    expect(judge(execution('one', 0, 'Accept show'), execution('child', 2_000, 'Watch show', 'one'))).toEqual([])
    expect(judge(execution('two', 2_000, 'Deployed 1'), execution('child', 3_000, 'Deployed 1', 'two'))).toEqual([])
  })

  it('finds a child with another definition than its parent', () => {
    expect(judge(execution('one', 0, 'Accept show'), execution('child', 2_000, 'Deployed 1', 'one'))).toEqual([
      'the execution child of watch has the definition 1, and not 0',
    ])
  })

  it('finds an execution with a former definition', () => {
    expect(judge(execution('one', 2_000, 'Accept show'))).toEqual([
      'the execution one of show has the definition 0, and not 1',
    ])
  })
})
