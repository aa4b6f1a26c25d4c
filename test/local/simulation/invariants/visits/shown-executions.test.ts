import { describe, expect, it } from 'vitest'
import { shownExecutions } from '../../../../../local/simulation/invariants/visits/shown-executions.ts'
import { visited } from './visited.ts'

const at = (seconds: number) => new Date(seconds * 1_000)
const event = (id: number, seconds: number, type: string, details: object = {}) => ({
  ...{ id, timestamp: at(seconds), type },
  ...details,
})
const entered = (id: number, seconds: number, type: string, name: string) =>
  event(id, seconds, `${type}StateEntered`, { stateEnteredEventDetails: { name } })
const history = [
  entered(1, 0, 'Map', 'All'),
  entered(2, 1, 'Task', 'One'),
  event(3, 1, 'LambdaFunctionScheduled', { lambdaFunctionScheduledEventDetails: {} }),
  event(4, 2, 'LambdaFunctionFailed', { lambdaFunctionFailedEventDetails: { error: 'Broken', cause: 'A fault.' } }),
  event(5, 2, 'MapStateFailed'),
  event(6, 3, 'MapStateExited', { stateExitedEventDetails: { name: 'All' } }),
]
const iso = (seconds: number) => at(seconds).toISOString()
const group = { id: 1, name: 'All', type: 'Map', status: 'caught', enteredAt: iso(0), exitedAt: iso(3), attempts: [] }
const attempt = { startedAt: iso(1), error: 'Broken', cause: 'A fault.' }
const task = { id: 2, name: 'One', type: 'Task', status: 'failed', enteredAt: iso(1), attempts: [attempt] }

const judge = (changes: object = {}, states: readonly object[] = [group, task]) =>
  shownExecutions({
    executions: [{ machine: 'show', name: 'a', status: 'FAILED', history }] as never,
    visits: [visited('/shows/a/execution', { machine: 'show', name: 'a', status: 'failed', states, ...changes })],
  })

describe('shownExecutions', () => {
  it('accepts an execution as its history has it', () => {
    expect(judge()).toEqual([])
  })

  it('finds another execution, and another status', () => {
    expect(judge({ name: 'b' })).toEqual(['the show a is shown with the execution b, which does not exist'])
    expect(judge({ status: 'succeeded' })).toEqual(['the execution a is shown as succeeded, and is FAILED'])
  })

  it.each<[string, object, object]>([
    ['states', { ...group, name: 'Others' }, task],
    ['exits', { ...group, exitedAt: iso(4) }, task],
    ['attempts', group, { ...task, attempts: [{ ...attempt, startedAt: iso(2) }] }],
    ['causes', group, { ...task, attempts: [{ ...attempt, cause: 'Another fault.' }] }],
    ['errors', group, { ...task, attempts: [{ ...attempt, error: 'Other' }] }],
  ])('finds other %s', (what, ...states) => {
    expect(judge({}, states)[0]).toBe(
      `the execution a is shown with ${what} that its history does not have, or without some`,
    )
  })

  it('finds a state that runs in an execution that is over', () => {
    const running = [group, { ...task, status: 'running', attempts: [{ ...attempt, error: undefined }] }]
    const problem = 'the execution a is over, and shown with a state that runs'
    expect(judge({ stoppedAt: iso(3) }, running)).toContain(problem)
    expect(judge({}, running)).not.toContain(problem)
  })

  it('finds failures that are shown as none', () => {
    expect(judge({}, [{ ...group, status: 'succeeded' }, task])).toEqual([
      'the execution a is shown with 0 of 1 failed groups of states',
    ])
    expect(judge({}, [group, { ...task, status: 'aborted' }])).toEqual([
      'the execution a is shown with One as aborted, whose last attempt failed',
    ])
  })
})
