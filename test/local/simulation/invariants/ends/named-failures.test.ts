import { describe, expect, it } from 'vitest'
import { namedFailures } from '../../../../../local/simulation/invariants/ends/named-failures.ts'

const MESSAGE = 'The function OpenSession ended before it answered.'
const raw = { Error: 'Runtime.ExitError', Cause: '{"errorMessage":"killed"}' }
const history = [
  {
    type: 'TaskStateExited',
    stateExitedEventDetails: {
      name: 'Open session',
      assignedVariables: { failure: JSON.stringify({ Cause: MESSAGE }) },
    },
  },
  {
    type: 'TaskStateEntered',
    timestamp: '2030-01-01T00:00:10.000Z',
    stateEnteredEventDetails: { name: 'Stop show', input: JSON.stringify(raw) },
  },
]
const problemsOf = (state: object, status = 'failed', error = 'ShowFailed') =>
  namedFailures({
    shows: [{ showId: 'a', state, result: { status } }],
    executions: [{ machine: 'show', name: 'a', history, error }],
  } as never)
const ended = { endReason: MESSAGE, endedAt: '2030-01-01T00:00:10.000Z' }

describe('namedFailures', () => {
  it('accepts the message of the failure as the reason, and that of its function', () => {
    expect(problemsOf(ended)).toEqual([])
    expect(problemsOf({ ...ended, endReason: 'killed' })).toEqual([])
  })

  it('finds another reason, and a show that succeeded', () => {
    expect(problemsOf({ ...ended, endReason: 'It was stopped.' })).toEqual([
      'the show a ended with Runtime.ExitError, and names as its reason: It was stopped.',
    ])
    expect(problemsOf(ended, 'succeeded')).toEqual(['the show a succeeded, although it ended with Runtime.ExitError'])
  })

  it('accepts the reason of the execution that reports a show after another could not', () => {
    const interrupted = { ...ended, endReason: 'Its execution was interrupted.' }
    expect(problemsOf(interrupted, 'failed', 'ShowUnreported')).toEqual([])
    expect(problemsOf(interrupted)).toHaveLength(1)
  })

  it('accepts the reason of a show that was stopped, or had ended before', () => {
    expect(problemsOf({ ...ended, endReason: 'It was stopped.', stopAskedAt: ended.endedAt })).toEqual([])
    expect(problemsOf({ endReason: 'It ended as planned.', endedAt: '2030-01-01T00:00:00.000Z' })).toEqual([])
  })
})
